#!/usr/bin/env node
// The `postern` command. Node 12 must be able to parse this file, so that an old Node can report the version that is needed.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
const CANNOT_RUN = 2;
const main = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
// True where npm installed this package.
const isInstalled = /\/node_modules\/[^/]+\/bin\/[^/]+$/.test(import.meta.url);

if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) runUnderPinnedNode();
else if (existsSync(main)) {
  // Node's compile cache shortens the next start by a tenth. A checkout has one; elsewhere only NODE_COMPILE_CACHE turns it on,
  // because nothing is written into the tree of an installed program.
  if (existsSync(fileURLToPath(new URL('../src', import.meta.url)))) {
    modules.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));
  }
  if (process.argv[2] === 'serve') handleSignals();
  import(pathToFileURL(main).href).catch(fail);
} else stop('Postern is not built yet. Run "npm run build" first.');

/** Handles signals until the service does. By default SIGHUP would end a starting process, and SIGTERM would not end it with 0. */
function handleSignals() {
  process.on('SIGHUP', () => {});
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
  }
}

/** The `node` package, an optional dependency, is a Node of the right version. npm puts it below this package, or beside it. */
function findPinnedNode() {
  const places = ['../node_modules/node/bin/node'].concat(isInstalled ? '../../node/bin/node' : []);
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    // Absent where the package is not installed, or its install script did not run.
    .find(existsSync);
  return found === undefined ? null : realpathSync(found);
}

function runUnderPinnedNode() {
  const pinned = findPinnedNode();
  // A pinned Node that is too old would start itself for ever.
  if (pinned === null || pinned === realpathSync(process.execPath)) {
    stop(
      `Postern needs Node ${NEEDED_MAJOR} or newer; this is ${process.version}. Install it, or let npm bring one along: ` +
        '"npm ci" where the sources are, "npm install node@24" where Postern was installed.',
    );
    return;
  }

  const args = [fileURLToPath(import.meta.url)].concat(process.argv.slice(2));
  const child = spawn(pinned, args, { stdio: 'inherit' });
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  signals.forEach((signal) => {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group: the child has it already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  });
  child.on('error', fail);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? CANNOT_RUN : code);
    signals.forEach((name) => {
      process.removeAllListeners(name);
    });
    process.kill(process.pid, signal);
  });
}

function fail(error) {
  stop(error instanceof Error ? error.stack : String(error));
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = CANNOT_RUN;
}
