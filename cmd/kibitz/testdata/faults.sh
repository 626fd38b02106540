# faults.sh GAME PROTO MODE REASON: three engines, so that other games go on.
set -e
# A name of its own: other faults may be played at the same time.
ln -s "$FAULT" "$FAULT-$1-$3"
FAULT=$FAULT-$1-$3
# Only where time is to run out is it short; a busy machine may need some of it.
st=30
margin=10
ready=60
[ $4 = time ] && st=1 && margin=0.5
[ $4 = start ] && ready=1
status=0
kibitz match --game $1 --engine "cmd='$FAULT -proto $2 -mode $3 -at 2' name=F st=$st margin=$margin restart=game" \
	--engine 'bot=random name=B' --engine 'bot=random name=C' --games 2 --json --quiet --start-limit $ready --out out-$1-$3 >out-$1-$3.json || status=$?
# An engine that failed makes the exit status, one that lost on time or by a rule
# does not.
want=1
[ $4 = time ] || [ $4 = illegal ] && want=0
test $status = $want || { echo "exit status $status, want $want"; exit 1; }
test "$(grep -c '"type":"game"' out-$1-$3.json)" = 6
# All four games of F are lost for the reason named; the two of B and C are not.
test "$(grep '"F"' out-$1-$3.json | grep -v summary | grep -c "\"reason\":\"$4\"")" = 4 || { cat out-$1-$3.json; exit 1; }
test "$(grep -v '"F"' out-$1-$3.json | grep -c "\"reason\":\"$4\"")" = 0 || { cat out-$1-$3.json; exit 1; }
# No process is left behind.
if pgrep -f "$FAULT" >/dev/null; then pgrep -af "$FAULT"; exit 1; fi
