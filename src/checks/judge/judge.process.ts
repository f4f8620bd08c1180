import { openLocalCollector } from '../../app/compose/pipeline.ts';
import { serveParent } from '../../jobs/serve-parent.ts';
import { messageOf } from '../../lib/thrown.ts';
import { InProcessJudge } from '../rule-judge.ts';
import type { JudgeOpening, JudgeOrder, JudgeReply } from './child-process-judge.ts';

serveParent();
// Opened once: a save is often followed by another. An order waits for it, and is told if it failed.
let judging: Promise<InProcessJudge> | undefined;
process.on('message', async (message: JudgeOpening | JudgeOrder) => {
  if ('config' in message) {
    const { config, providerOptions } = message;
    judging = openLocalCollector(config).then(
      (collector) => new InProcessJudge({ collector, providerOptions }),
    );
    judging.catch(() => undefined);
    return;
  }
  process.send?.(await answer(message));
});

async function answer({ sources, now }: JudgeOrder): Promise<JudgeReply> {
  try {
    if (!judging) throw new Error('the judge was not opened');
    return { judgement: await (await judging).judge(sources, now) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
