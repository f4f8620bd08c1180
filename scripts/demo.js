// `npm run demo`: builds what is stale, then serves thirty days that never were, from a directory that goes with the process.
import { exit } from 'node:process';
import { build, findCompiler, isStale } from './build.js';

if (isStale()) {
  const compiler = findCompiler();
  if (compiler === null)
    console.error('Sources are newer than the build and there is no compiler here: going on with the build.');
  else if (!(await build(compiler))) exit(2);
}

await import('../dist/demo/main.js');
