package guard

import "golang.org/x/sys/unix"

// machines are the two ways in which programs call a kernel of this processor, with the
// numbers of the calls that are banned in either.
var machines = []machine{
	{unix.AUDIT_ARCH_X86_64, map[string]uint32{
		"chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93, "lchown": 94,
		"fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "setxattr": 188,
		"lsetxattr": 189, "fsetxattr": 190, "setxattrat": 463, "removexattr": 197, "lremovexattr": 198,
		"fremovexattr": 199, "removexattrat": 466, "file_setattr": 469, "keyctl": 250, "add_key": 248, "request_key": 249, "prlimit64": 302,
		"sched_setaffinity": 203, "sched_setscheduler": 144, "sched_setparam": 142,
		"sched_setattr": 314, "setpriority": 141, "ioprio_set": 251, "io_uring_setup": 425, "shmctl": 31, "semop": 65, "semctl": 66,
		"semtimedop": 220, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "mq_unlink": 241,
		"shmget": 29, "shmat": 30, "semget": 64, "msgget": 68, "mq_open": 240, "memfd_create": 319, "memfd_secret": 447, "socket": 41,
		"fcntl": 72, "ioctl": 16, "inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300,
		"socketpair": 53, "listen": 50, "sendto": 44, "sendmsg": 46, "sendmmsg": 307,
	}},
	{unix.AUDIT_ARCH_I386, map[string]uint32{
		"chmod": 15, "fchmod": 94, "fchmodat": 306, "fchmodat2": 452, "chown": 182, "fchown": 95, "lchown": 16,
		"fchownat": 298, "chown32": 212, "fchown32": 207, "lchown32": 198, "utime": 30, "utimes": 271, "futimesat": 299, "utimensat": 320,
		"utimensat_time64": 412, "setxattr": 226, "lsetxattr": 227, "fsetxattr": 228,
		"setxattrat": 463, "removexattr": 235, "lremovexattr": 236, "fremovexattr": 237, "removexattrat": 466,
		"file_setattr": 469, "keyctl": 288, "add_key": 286, "request_key": 287, "prlimit64": 340,
		"sched_setaffinity": 241, "sched_setscheduler": 156, "sched_setparam": 154, "sched_setattr": 351,
		"setpriority": 97, "ioprio_set": 289, "io_uring_setup": 425, "semctl": 394, "shmctl": 396, "msgsnd": 400, "msgrcv": 401, "msgctl": 402,
		"semtimedop_time64": 420, "mq_unlink": 278,
		"shmget": 395, "shmat": 397, "semget": 393,
		"msgget": 399, "mq_open": 277, "ipc": 117, "memfd_create": 356, "memfd_secret": 447, "socket": 359,
		"fcntl": 55, "fcntl64": 221, "ioctl": 54, "inotify_init": 291, "inotify_init1": 332, "fanotify_init": 338,
		"socketpair": 360, "socketcall": 102, "listen": 363, "sendto": 369, "sendmsg": 370, "sendmmsg": 345,
	}},
}
