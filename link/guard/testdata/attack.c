// attack: an engine that means harm. Each argument is ATTACK=TARGET; for each it prints
// one line: ok, or the name of the error that stopped it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FS_IOC_ENABLE_VERITY
#define FS_IOC_ENABLE_VERITY 0x40806685
#endif

static int lockfile(const char *path, int command, int type) {
	int fd = open(path, O_RDONLY);
	struct flock l = {.l_type = type, .l_whence = SEEK_SET};
	if (fd < 0)
		return -1;
	return fcntl(fd, command, &l);
}

static int control(const char *path, unsigned long request, void *value) {
	int fd = open(path, O_RDONLY);
	return fd < 0 ? -1 : ioctl(fd, request, value);
}

static int owner(pid_t victim) { // the victim is to be told of our input by a signal that ends it
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || fcntl(ends[0], F_SETOWN, victim) || fcntl(ends[0], F_SETFL, O_ASYNC))
		return -1;
	return write(ends[1], "x", 1) == 1 ? 0 : -1;
}

static int abstract(const char *name) {
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	memcpy(a.sun_path + 1, name, strlen(name));
	return connect(fd, (struct sockaddr *)&a, sizeof(sa_family_t) + 1 + strlen(name));
}

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void *nap(void *unused) {
	usleep(50000);
	pthread_mutex_lock(&making); // until all are made, however long that takes
	pthread_mutex_unlock(&making);
	return unused;
}

static int threads(int n) { // that live for 50 ms at least, and all at the same time
	pthread_t *t = calloc(n, sizeof *t);
	int made = 0, error = 0;
	pthread_mutex_lock(&making);
	for (; made < n && !error; made++)
		error = pthread_create(&t[made], NULL, nap, NULL);
	pthread_mutex_unlock(&making);
	for (int i = 0; i < made - (error != 0); i++)
		pthread_join(t[i], NULL);
	errno = error;
	return error ? -1 : 0;
}

static int burst(int megabytes, int flags) { // for a moment
	size_t n = (size_t)megabytes << 20;
	char *b = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	if (b == MAP_FAILED)
		return -1;
	return munmap(b, n);
}

static int sister(int stop) { // a child of our parent, who knows nothing of it
	long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		setsid();
		for (;;)
			pause();
	}
	return pid < 0 ? -1 : stop;
}

static int apart(void) { // a user namespace, in which mounts can be undone
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return -1;
	return umount2("/proc", MNT_DETACH);
}

static int escape(void) { // the old way out of a root
	mkdir("x", 0700);
	if (unshare(CLONE_NEWUSER) || chroot("x"))
		return -1;
	for (int i = 0; i < 64; i++)
		if (chdir(".."))
			return -1;
	if (chroot("."))
		return -1;
	return access("/etc/shadow", F_OK);
}

static int attack(const char *what, char *arg) {
	pid_t pid = atoi(arg);
	char path[256], byte;
	struct iovec here = {&byte, 1}, there = {(void *)environ, 1};
	int flags = 0;
	long number = 7;
	struct fsxattr x = {.fsx_projid = 7};
	char verity[128] = {1};
#define IS(name) (!strcmp(what, name))
	if (IS("read"))
		return open(arg, O_RDONLY);
	if (IS("write")) {
		int fd = open(arg, O_WRONLY | O_APPEND);
		return fd < 0 ? -1 : close(fd);
	}
	if (IS("name"))
		return access(arg, F_OK);
	if (IS("lease")) {
		int fd = open(arg, O_RDONLY);
		return fd < 0 ? -1 : fcntl(fd, F_SETLEASE, F_RDLCK);
	}
	if (IS("notify")) {
		int fd = open(arg, O_RDONLY);
		return fd < 0 ? -1 : fcntl(fd, F_NOTIFY, DN_ACCESS);
	}
	if (IS("flock")) {
		int fd = open(arg, O_RDONLY);
		return fd < 0 ? -1 : flock(fd, LOCK_EX | LOCK_NB);
	}
	if (IS("record"))
		return lockfile(arg, F_SETLK, F_RDLCK);
	if (IS("ofd"))
		return lockfile(arg, F_OFD_SETLK, F_RDLCK);
	if (IS("owner"))
		return owner(pid);
	if (IS("inotify")) {
		int fd = inotify_init();
		return fd < 0 ? -1 : inotify_add_watch(fd, arg, IN_ALL_EVENTS);
	}
	if (IS("fanotify"))
		return syscall(SYS_fanotify_init, 0x200, 0); // FAN_REPORT_FID
	if (IS("abstract"))
		return abstract(arg);
	if (IS("addkey"))
		return syscall(SYS_add_key, "user", "kibitz-attack", "x", 1, -4);
	if (IS("session"))
		return syscall(SYS_keyctl, 0, -3, 0);
	if (IS("shm")) { // which stays, unless it is told to remove it
		int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
		return id < 0 || !*arg ? id : shmctl(id, IPC_RMID, NULL);
	}
	if (IS("sem")) { // which stays, unless it is told to remove it
		int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
		return id < 0 || !*arg ? id : semctl(id, 0, IPC_RMID);
	}
	if (IS("msg")) { // which stays, unless it is told to remove it
		int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
		return id < 0 || !*arg ? id : msgctl(id, IPC_RMID, NULL);
	}
	if (IS("flags"))
		return control(arg, FS_IOC_SETFLAGS, &flags);
	if (IS("project"))
		return control(arg, FS_IOC_FSSETXATTR, &x);
	if (IS("version"))
		return control(arg, FS_IOC_SETVERSION, &number);
	if (IS("verity"))
		return control(arg, FS_IOC_ENABLE_VERITY, verity);
	if (IS("mode"))
		return chmod(arg, 06777);
	if (IS("kill"))
		return kill(pid, SIGKILL);
	if (IS("everybody"))
		return kill(-1, SIGTERM);
	if (IS("trace"))
		return ptrace(PTRACE_ATTACH, pid, 0, 0);
	if (IS("peek"))
		return process_vm_readv(pid, &here, 1, &there, 1, 0) < 0 && errno != EFAULT ? -1 : 0;
	if (IS("pidfd"))
		return syscall(434, pid, 0);
	if (IS("limit"))
		return syscall(SYS_prlimit64, pid, 4, &(uint64_t[2]){0, 0}, NULL);
	if (IS("environ") || IS("mem") || IS("fd") || IS("cmdline") || IS("root")) {
		snprintf(path, sizeof path, "/proc/%d/%s", pid, IS("fd") ? "fd/0" : what);
		return open(path, O_RDONLY);
	}
	if (IS("ring"))
		return syscall(425, 1, 0);
	if (IS("umount"))
		return umount2(arg, MNT_DETACH);
	if (IS("remount"))
		return mount("", arg, "", MS_REMOUNT | MS_BIND, "");
	if (IS("apart"))
		return apart();
	if (IS("escape"))
		return escape();
	if (IS("device"))
		return mknod("disk", S_IFBLK | 0600, 8 << 8);
	if (IS("threads"))
		return threads(atoi(arg));
	if (IS("burst"))
		return burst(atoi(arg), MAP_POPULATE);
	if (IS("reserve")) // without touching it
		return burst(atoi(arg), MAP_NORESERVE);
	if (IS("sister"))
		return sister(0);
	errno = ENOEXEC; // no such attack
	return -1;
}

int main(int n, char **args) {
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGTERM, SIG_IGN);
	for (int i = 1; i < n; i++) {
		char *arg = strchr(args[i], '=');
		if (arg)
			*arg++ = 0;
		int came = attack(args[i], arg ? arg : "");
		puts(came < 0 ? strerrorname_np(errno) : "ok");
	}
	return 0;
}
