import { Box, Button, Code, Group, Stack, TextInput } from '@mantine/core';
import { IconFlask, IconPlayerPlay } from '@tabler/icons-react';
import { type FormEvent, useRef } from 'react';
import { useDecisionOn, useTriableFacts, useTrial } from '../../api/try-it.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { Page } from '../../ui/page.tsx';
import { CheckLedger } from '../check/check-ledger.tsx';
import { faultOf, useEditedFacts } from './edited-facts.ts';
import { SameByApi } from './same-by-api.tsx';
import { SignalList } from './signal-list.tsx';
import classes from './try.module.css';
import { Verdict } from './verdict.tsx';

/** One of each kind: a person, a role address, a disposable service, a domain that does not exist. */
const EXAMPLES = [
  'jane.doe@gmail.com',
  'info@debian.org',
  'x7k2q9@mailinator.com',
  'jane@no-such-domain.example',
] as const;

/** Tries an address and shows its signals and its decision; facts can be edited to see another decision. */
export default function TryPage() {
  const [trial, start] = useTrial();
  const { data: bench, error, refetch } = useTriableFacts();
  const edited = useEditedFacts(trial.decided);
  const faulty = bench?.facts.find((fact) => faultOf(fact, edited.edits[fact.id]) !== false)?.id ?? null;
  const isOnEdits = edited.isEdited && faulty === null;
  const onEdits = useDecisionOn(isOnEdits ? edited : null);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start(fieldsOf(event.currentTarget, ['email']).email);
  };
  const example = (email: string) => {
    if (field.current) field.current.value = email;
    start(email);
  };
  const { begun, decided } = trial;
  const found = decided?.decision ?? null;
  const decidedOn = isOnEdits ? onEdits.data : null;
  const shown = decidedOn?.decision ?? found ?? trial.soFar;
  return (
    <Page
      docs="dashboard#trying-an-address"
      title="Try it"
      description="Assess an address as a check would, and see why. Nothing is recorded, and no quota is used."
    >
      <Stack gap="xs">
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            ref={field}
            name="email"
            label="Email address"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
          />
          <Button
            type="submit"
            loading={trial.isRunning}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
          >
            Try it
          </Button>
        </form>
        <Group gap="xs">
          <Dimmed>For example</Dimmed>
          {EXAMPLES.map((email) => (
            <Button key={email} size="compact-xs" variant="default" onClick={() => example(email)}>
              {email}
            </Button>
          ))}
        </Group>
      </Stack>
      <ErrorNotice error={error} deed="The facts could not be loaded" onRetry={() => refetch()} />
      <ErrorNotice error={trial.error} deed="The address was not assessed" />
      {begun === null && trial.error === null && <NothingTried />}
      {begun !== null && (
        <>
          <Verdict
            canonical={begun.canonical}
            decision={shown}
            isWaiting={trial.isRunning}
            found={edited.isEdited ? found : null}
            edits={decidedOn?.edits ?? null}
            fault={faulty && `${faulty} cannot be ${edited.edits[faulty] ?? 'unknown'}. `}
            onReset={() => edited.reset()}
          />
          {onEdits.error !== null && edited.isEdited && (
            <ErrorNotice error={onEdits.error} deed="These facts were not decided on" />
          )}
          <div className={classes.columns}>
            <Box style={{ gridArea: 'why' }}>{shown !== null && <CheckLedger check={shown} />}</Box>
            <Box style={{ gridArea: 'signals' }}>
              <SignalList trial={{ ...trial, begun }} facts={bench?.facts ?? []} edited={edited} />
            </Box>
            <Box style={{ gridArea: 'api' }}>
              <SameByApi email={begun.email} decided={decided} />
            </Box>
          </div>
        </>
      )}
    </Page>
  );
}

function NothingTried() {
  return (
    <EmptyState icon={IconFlask} title="Type an address, or take an example">
      Each provider’s answer appears as soon as it is there: what can be told from the address at once, what
      others must be asked for within the deadline. Then the rules add up the points, from 0 to the score.
      What <Code>velocity</Code> would have counted is unknown here, since nothing is counted.
    </EmptyState>
  );
}
