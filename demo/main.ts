import { argv, env, exit, stderr, stdout } from 'node:process';
import { Shell } from '../src/cli/shell.ts';
import { readDemoOptions } from './demo-options.ts';
import { runDemo } from './run-demo.ts';

const shell = new Shell({ stdout, stderr, env, cwd: process.cwd() });
exit(await runDemo(shell, readDemoOptions(argv)));
