import { spawnSync } from 'node:child_process';
import { describeSignUp, runnerOfExamples } from './sign-up.ts';

const isThere = spawnSync('python3', ['--version']).status === 0;

describeSignUp(runnerOfExamples(), { example: '04-signup.py', program: 'python3', isThere });
