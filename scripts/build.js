// Compiles src/, providers/, openapi/ and demo/ to dist/, copies the providers' data, removes what has lost its source, puts provider-kit/
// together, and bundles dashboard/.
// `--if-stale` does nothing while no source is newer than the last whole build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { assembleKit } from './assemble-kit.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = [
  ...['src', 'providers', 'openapi', 'demo', 'dashboard', 'tables'],
  ...['tsconfig.json', 'package.json', 'provider-kit/package.json'],
];
/** Documents that the dashboard shows. */
const DOCUMENTS = ['docs', 'README.md', 'CHANGELOG.md'];

/** Whether a source is newer than the last whole build. Folders count, for a file that was deleted or renamed. */
function isStale() {
  const stamp = join(root, 'dist', '.built');
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return [...SOURCES, ...DOCUMENTS].some((source) => isNewer(join(root, source), built));
}

function isNewer(path, instant) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > instant) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), instant));
}

/** The compiler's path, or null after `npm ci --omit=dev`. */
const findCompiler = () => findTool('typescript/bin/tsc');

/** A tool that this package's lock file pins, or null where it is not installed. Another one, in a folder above, is not taken. */
function findTool(path) {
  const tool = join(root, 'node_modules', path);
  return existsSync(tool) ? tool : null;
}

/** Bundles the dashboard, in a few seconds. Without its sources, or without a bundler, the earlier build stays. */
async function buildDashboard() {
  const sources = join(root, 'dashboard');
  const bundler = findTool('vite/bin/vite.js');
  if (!existsSync(sources)) return true;
  if (bundler === null) {
    console.error('There is no bundler here: the dashboard stays as it was built.');
    return true;
  }
  return succeeds([bundler, 'build', sources, '--logLevel', 'warn']);
}

async function compile(compiler) {
  if (!(await succeeds([compiler, '-p', join(root, 'tsconfig.json')]))) return false;
  const dist = join(root, 'dist');
  for (const folder of ['src', 'providers', 'openapi', 'demo'])
    removeOrphans(join(dist, folder), join(root, folder));
  copyProviderData(join(root, 'providers'), join(dist, 'providers'));
  if (existsSync(join(root, 'provider-kit'))) assembleKit(root);
  return true;
}

async function succeeds(args) {
  const [code] = await once(spawn(execPath, args, { stdio: ['ignore', 2, 2] }), 'close');
  return code === 0;
}

/**
 * Builds the service and the dashboard at the same time: neither needs the other. True when both went well; otherwise the compiler,
 * or the bundler, has said what is wrong.
 */
async function build(compiler) {
  // A source that is saved while the compiler runs must count as newer than this build.
  const started = new Date();
  const built = await Promise.all([compile(compiler), buildDashboard()]);
  if (built.includes(false)) return false;
  const stamp = join(root, 'dist', '.built');
  writeFileSync(stamp, '');
  utimesSync(stamp, started, started);
  return true;
}

/**
 * Builds what is stale, for a program that runs from the build; ends the process where that fails. Without a compiler the program runs
 * from the build that is there.
 */
export async function buildIfStale() {
  if (!isStale()) return;
  const compiler = findCompiler();
  if (compiler === null)
    console.error('Sources are newer than the build and there is no compiler here: going on with the build.');
  else if (!(await build(compiler))) exit(2);
}

/** A provider that was deleted from the sources would otherwise still be found in dist/. */
function removeOrphans(compiled, source) {
  if (!existsSync(compiled)) return;
  for (const entry of readdirSync(compiled, { withFileTypes: true })) {
    const path = join(compiled, entry.name);
    const origin = join(source, entry.name.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts'));
    if (!existsSync(origin) && !existsSync(join(source, entry.name))) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) removeOrphans(path, join(source, entry.name));
  }
}

function copyProviderData(providers, compiled) {
  for (const id of readdirSync(providers)) {
    const [from, to] = [join(providers, id, 'data'), join(compiled, id, 'data')];
    rmSync(to, { recursive: true, force: true });
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const compiler = findCompiler();
  if (argv.includes('--if-stale') && !isStale()) exit(0);
  if (compiler === null) {
    console.error('There is no compiler here; "npm ci" without --omit=dev brings it.');
    exit(2);
  }
  exit((await build(compiler)) ? 0 : 1);
}
