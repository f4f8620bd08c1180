// Takes the optional peers of better-auth out of package-lock.json: a test runner and every web framework. npm would install those
// that we develop with by `npm ci --omit=dev` too. After an upgrade of better-auth run
// `node scripts/trim-peers.js && npm install --package-lock-only`, which works out anew what needs what. A test checks the result.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(FILE, 'utf8'));
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!/^node_modules\/(@better-auth\/|better-(auth|call)$)/.test(path)) continue;
  const { peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const needed = Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional);
  delete entry.peerDependenciesMeta;
  if (needed.length > 0) entry.peerDependencies = Object.fromEntries(needed);
  else delete entry.peerDependencies;
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
