// Takes the optional peers of better-auth out of package-lock.json. It names a test runner and every web framework, and
// npm would take those that we develop with for a part of what `npm ci --omit=dev` installs. After an upgrade of it:
// `node scripts/trim-peers.js && npm install --package-lock-only`, which counts anew who needs what. A test holds it.
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
