package amazons

// rays is the board as queens see it, for many questions about the same empty squares: by
// line and way, the squares that are the last of two and of four empty ones in a row.
type rays struct {
	empty        set
	up2, up4     [lines]set
	down2, down4 [lines]set
}

// The lines, and how far neighbours on them are apart.
const (
	row = iota
	column
	rising
	falling
	lines

	byRow     = 1
	byColumn  = stride
	byRising  = stride - 1
	byFalling = stride + 1
)

// up and down move a set by so many places. They are inlined, and n is then a constant:
// that is why the lines below are written out one by one.
func (s set) up(n uint) set   { return set{s.lo << n, s.hi<<n | s.lo>>(64-n)} }
func (s set) down(n uint) set { return set{s.lo>>n | s.hi<<(64-n), s.hi >> n} }

// rise adds what is so many places up and open, fall what is down.
func (s set) rise(n uint, open set) set { return s.or(s.up(n).and(open)) }
func (s set) fall(n uint, open set) set { return s.or(s.down(n).and(open)) }

func raysOf(empty set) (r rays) {
	r.empty = empty
	r.up2[row] = empty.and(empty.up(byRow))
	r.up4[row] = r.up2[row].and(r.up2[row].up(2 * byRow))
	r.down2[row] = empty.and(empty.down(byRow))
	r.down4[row] = r.down2[row].and(r.down2[row].down(2 * byRow))
	r.up2[column] = empty.and(empty.up(byColumn))
	r.up4[column] = r.up2[column].and(r.up2[column].up(2 * byColumn))
	r.down2[column] = empty.and(empty.down(byColumn))
	r.down4[column] = r.down2[column].and(r.down2[column].down(2 * byColumn))
	r.up2[rising] = empty.and(empty.up(byRising))
	r.up4[rising] = r.up2[rising].and(r.up2[rising].up(2 * byRising))
	r.down2[rising] = empty.and(empty.down(byRising))
	r.down4[rising] = r.down2[rising].and(r.down2[rising].down(2 * byRising))
	r.up2[falling] = empty.and(empty.up(byFalling))
	r.up4[falling] = r.up2[falling].and(r.up2[falling].up(2 * byFalling))
	r.down2[falling] = empty.and(empty.down(byFalling))
	r.down4[falling] = r.down2[falling].and(r.down2[falling].down(2 * byFalling))
	return r
}

// queen returns the squares one queen move away from any of a set. It goes along the
// lines by one, two, four and two squares (parallel prefix, Kogge and Stone 1973), nine in
// all.
func (r *rays) queen(from set) set {
	var all set
	all = all.or(from.rise(byRow, r.empty).rise(2*byRow, r.up2[row]).rise(4*byRow, r.up4[row]).rise(2*byRow, r.up2[row]))
	all = all.or(from.fall(byRow, r.empty).fall(2*byRow, r.down2[row]).fall(4*byRow, r.down4[row]).fall(2*byRow, r.down2[row]))
	all = all.or(from.rise(byColumn, r.empty).rise(2*byColumn, r.up2[column]).rise(4*byColumn, r.up4[column]).rise(2*byColumn, r.up2[column]))
	all = all.or(from.fall(byColumn, r.empty).fall(2*byColumn, r.down2[column]).fall(4*byColumn, r.down4[column]).fall(2*byColumn,
		r.down2[column]))
	all = all.or(from.rise(byRising, r.empty).rise(2*byRising, r.up2[rising]).rise(4*byRising, r.up4[rising]).rise(2*byRising, r.up2[rising]))
	all = all.or(from.fall(byRising, r.empty).fall(2*byRising, r.down2[rising]).fall(4*byRising, r.down4[rising]).fall(2*byRising,
		r.down2[rising]))
	all = all.or(from.rise(byFalling, r.empty).rise(2*byFalling, r.up2[falling]).rise(4*byFalling, r.up4[falling]).rise(2*byFalling,
		r.up2[falling]))
	all = all.or(from.fall(byFalling, r.empty).fall(2*byFalling, r.down2[falling]).fall(4*byFalling, r.down4[falling]).fall(2*byFalling,
		r.down2[falling]))
	return all.and(r.empty)
}
