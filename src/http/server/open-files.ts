import { readFileSync } from 'node:fs';
import type { Config } from '../../app/config/config.ts';
import type { Logger } from '../../observability/logger.ts';

/** Beside connections: the database and its readers, lists, child processes with their pipes, sockets to name servers and mail hosts. */
const OTHER_FILES = 200;
/** Taken even where the limit leaves fewer. */
const FEWEST_CONNECTIONS = 16;

/** How many ports are opened, and the files that a process needs for `http.max_connections` on each. `metricsPort`: null for none. */
export function openFilesNeeded({ plainPort, maxConnections }: Config['http'], metricsPort: number | null) {
  const ports = 1 + Number(plainPort !== null) + Number(metricsPort !== null);
  return { ports, needed: ports * maxConnections + OTHER_FILES };
}

/**
 * `http.max_connections`, or as many as each port may have in this process. Linux resets a connection for which there is no
 * descriptor, without a word to the server, and a query or a child process fails likewise.
 */
export function withinOpenFiles(
  http: Config['http'],
  metricsPort: number | null,
  log: Logger,
): Config['http'] {
  const { ports, needed } = openFilesNeeded(http, metricsPort);
  const limit = openFileLimit('self');
  if (limit >= needed) return http;
  const room = Math.max(Math.floor((limit - OTHER_FILES) / ports), FEWEST_CONNECTIONS);
  log.warn(
    { open_files: limit, needed, connections_per_port: room },
    'fewer files may be open than http.max_connections needs',
  );
  return { ...http, maxConnections: Math.min(room, http.maxConnections) };
}

/** How many files a process may have open (proc_pid_limits(5)); Infinity where the system does not tell. Node raises its own as far as it may. */
export function openFileLimit(pid: number | 'self'): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
