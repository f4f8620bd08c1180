// `npm run demo`: builds what is stale, then serves thirty days of made-up traffic, by default from a directory that is removed at the end.
import { exit } from 'node:process';
import { build, findCompiler, isStale } from './build.js';

if (isStale()) {
  const compiler = findCompiler();
  if (compiler === null)
    console.error('Sources are newer than the build and there is no compiler here: going on with the build.');
  else if (!(await build(compiler))) exit(2);
}

await import('../dist/demo/main.js');
