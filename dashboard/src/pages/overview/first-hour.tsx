import { Button, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useFirstSteps } from '../../api/first-steps.ts';
import { useSession } from '../../api/session.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './first-hour.module.css';
import { type Step, stepsOf } from './first-hour-steps.ts';

const CodeSamples = lazy(async () => ({ default: (await import('../../ui/code-samples.tsx')).CodeSamples }));

/** A checklist that ticks itself, for an account that is new; nothing once all is done, or where it was put away in this browser. */
export function FirstHour({ accountId }: { readonly accountId: string }) {
  const { own_authority } = useSession();
  const { data } = useFirstSteps(accountId);
  const [isHidden, setHidden] = useLocalStorage({
    key: `postern-first-hour ${accountId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (data === undefined || !data.is_new || isHidden) return null;
  const steps = stepsOf(data, own_authority);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Panel
      title="The first hour"
      description={`${done} of ${steps.length} done. What is done is ticked by itself.`}
      actions={
        <Button size="xs" variant="default" onClick={() => setHidden(true)}>
          Put away
        </Button>
      }
    >
      <div className={classes.columns}>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepItem key={step.id} step={step} />
          ))}
        </ol>
        {!data.live_check && (
          <Suspense>
            <CodeSamples />
          </Suspense>
        )}
      </div>
    </Panel>
  );
}

function StepItem({ step: { title, text, href, isDone } }: { readonly step: Step }) {
  const StateIcon = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      <StateIcon size={20} stroke={1.6} role="img" aria-label={isDone ? 'Done' : 'To do'} />
      <div>
        <Text size="sm" fw={600}>
          {href === null ? (
            title
          ) : (
            <TextLink href={href} fw={600}>
              {title}
            </TextLink>
          )}
        </Text>
        {!isDone && <Dimmed size="sm">{text}</Dimmed>}
      </div>
    </li>
  );
}
