import { Resolver } from 'node:dns';

/** A laptop that changes networks, or a new resolv.conf, is noticed within this time. Reading costs 0.1 ms. */
const REREAD_MS = 30_000;

/** The servers of /etc/resolv.conf, or what the system has in its place; none of its other options counts here. */
function readSystemServers(): readonly string[] {
  return new Resolver().getServers();
}

/** The system's servers as they are now, each made once, so that what is known of it is kept. */
export function systemServers<Server>(
  make: (address: string) => Server,
  now: () => number,
  read = readSystemServers,
): () => readonly Server[] {
  let known = new Map<string, Server>();
  let readMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - readMs < REREAD_MS) return [...known.values()];
    readMs = now();
    known = new Map(read().map((address) => [address, known.get(address) ?? make(address)]));
    return [...known.values()];
  };
}
