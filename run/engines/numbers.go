package engines

import (
	"fmt"
	"strconv"
	"time"
)

// ParseBool reads a switch.
func ParseBool(key, v string) (bool, error) {
	switch v {
	case "1", "true", "on", "yes":
		return true, nil
	case "0", "false", "off", "no":
		return false, nil
	}
	return false, fmt.Errorf("%s=%s: must be 1 or 0", key, v)
}

func parseCount(key, v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s=%s: must be a whole number above 0", key, v)
	}
	return n, nil
}

func parseSeconds(key, v string) (time.Duration, error) {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= 0 && f <= 1e6) {
		return 0, fmt.Errorf("%s=%s: must be seconds, 0 or more", key, v)
	}
	return time.Duration(f * float64(time.Second)), nil
}

// ParseBytes reads a number of bytes with an optional K, M or G (powers of 1024).
func ParseBytes(key, v string) (int64, error) {
	num, unit := v, int64(1)
	if v != "" {
		switch v[len(v)-1] {
		case 'K', 'k':
			unit = 1 << 10
		case 'M', 'm':
			unit = 1 << 20
		case 'G', 'g':
			unit = 1 << 30
		}
		if unit > 1 {
			num = v[:len(v)-1]
		}
	}
	n, err := strconv.ParseInt(num, 10, 64)
	if err != nil || n <= 0 || n > (1<<62)/unit {
		return 0, fmt.Errorf("%s=%s: must be bytes such as 367001600 or 350M", key, v)
	}
	return n * unit, nil
}
