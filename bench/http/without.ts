// Loaded before the service (`node --import`): leaves out the part that BENCH_WITHOUT names, by standing something
// else in for its module. The product has no switch for it, and everything else is the product as built.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Assessor } from '../../dist/src/checks/assessor.js';
import { CheckRecorder } from '../../dist/src/checks/check-recorder.js';
import type { Part } from './parts.ts';

const part = process.env.BENCH_WITHOUT as Part | undefined;

const STAND_INS: Partial<Record<Part, readonly (readonly [module: string, standIn: string])[]>> = {
  key: [['authenticate', 'authenticate']],
  limit: [
    ['limit-rate', 'no-limit'],
    ['limit-quota', 'no-limit'],
  ],
  body: [['read-email', 'read-email']],
};

const replaced = new Map(
  (part && STAND_INS[part] ? STAND_INS[part] : []).map(([module, standIn]) => {
    const url = new URL(`../../dist/src/http/middleware/${module}.js`, import.meta.url);
    if (!existsSync(url)) throw new Error(`there is no ${url.pathname} to leave out`);
    return [url.href, new URL(`stand-ins/${standIn}.ts`, import.meta.url).href];
  }),
);
registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const standIn = replaced.get(found.url);
    return standIn === undefined ? found : nextResolve(standIn, context);
  },
});

if (part === 'record') CheckRecorder.prototype.record = async () => undefined;
if (part === 'pipeline') answerAlwaysTheSame();

/** The first assessment, of a real address, stands for all. */
function answerAlwaysTheSame(): void {
  const assess = Assessor.prototype.assess;
  let first: ReturnType<typeof assess> | undefined;
  Assessor.prototype.assess = function (this: Assessor, ...args) {
    first ??= assess.apply(this, args);
    return first;
  };
}
