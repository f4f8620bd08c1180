import { existsSync, readFileSync } from 'node:fs';

/** Ticks a second in the kernel's CPU times: USER_HZ, 100 on every Linux that node runs on (time(7)). */
const TICKS_PER_SECOND = 100;

/** Whether this system has /proc, to read what another process costs. */
const canReadProcesses = existsSync('/proc/self/stat');

export interface CpuTime {
  /** All threads, in µs. */
  readonly allUs: number;
  /** The thread that runs the event loop, in µs. */
  readonly mainUs: number;
}

/** CPU time, user and system, of processes so far; NaN without /proc. */
export function cpuTime(pids: readonly number[]): CpuTime {
  const sum = (fileOf: (pid: number) => string) => pids.reduce((us, pid) => us + readStat(fileOf(pid)), 0);
  return {
    allUs: sum((pid) => `/proc/${pid}/stat`),
    mainUs: sum((pid) => `/proc/${pid}/task/${pid}/stat`),
  };
}

/** Resident memory of a process, in MB (10^6 octets); NaN without /proc. */
export function residentMb(pid: number): number {
  if (!canReadProcesses) return Number.NaN;
  const [, kib = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

function readStat(file: string): number {
  if (!canReadProcesses) return Number.NaN;
  // proc(5): the name in brackets may hold any character; utime and stime are the 12th and 13th field after it.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}
