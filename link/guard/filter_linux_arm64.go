package guard

import "golang.org/x/sys/unix"

// machines is the way in which programs call a kernel of this processor, with the
// numbers of the calls that are banned. Programs of 32 bits do not run under a filter.
var machines = []machine{
	{unix.AUDIT_ARCH_AARCH64, map[string]uint32{
		"fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88, "setxattr": 5,
		"lsetxattr": 6, "fsetxattr": 7, "setxattrat": 463, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
		"removexattrat": 466, "file_setattr": 469, "keyctl": 219, "add_key": 217, "request_key": 218, "prlimit64": 261, "sched_setaffinity": 122,
		"sched_setscheduler": 119, "sched_setparam": 118, "sched_setattr": 274,
		"setpriority": 140, "ioprio_set": 30, "io_uring_setup": 425, "mq_unlink": 181, "msgctl": 187, "msgrcv": 188, "msgsnd": 189, "semctl": 191,
		"semtimedop": 192, "semop": 193, "shmctl": 195,
		"shmget": 194, "shmat": 196, "semget": 190,
		"msgget": 186, "mq_open": 180, "memfd_create": 279, "memfd_secret": 447, "socket": 198, "socketpair": 199,
		"fcntl": 25, "ioctl": 29, "inotify_init1": 26, "fanotify_init": 262,
		"listen": 201, "sendto": 206, "sendmsg": 211, "sendmmsg": 269,
	}},
}
