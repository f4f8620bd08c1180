import { Badge, Code, Group, Text } from '@mantine/core';
import type { WholeCheck } from '../../api/checks.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './check.module.css';

type Signal = WholeCheck['signals'][number];

/** Why a fact is not there, in words. Providers may give reasons of their own. */
const REASONS: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  error: 'the look-up failed',
  not_run: 'there was nothing to ask',
  not_stored: 'known then, and not stored: it quotes the address',
  not_recorded: 'not asked for then',
};

export function CheckSignals({ check: { signals } }: { readonly check: WholeCheck }) {
  const sorted = signals.toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
  return (
    <Panel
      title="Signals"
      description="What each provider found, with its evidence, and what stayed unknown."
    >
      <ul className={classes.providers}>
        {sorted.map((signal) => (
          <SignalOf key={signal.provider} signal={signal} />
        ))}
      </ul>
    </Panel>
  );
}

function SignalOf({ signal: { provider, facts, unknown, evidence, source } }: { readonly signal: Signal }) {
  const hasEvidence = evidence !== null && Object.keys(evidence).length > 0;
  return (
    <li>
      <Group gap="xs" mb={6}>
        <Text size="sm" fw={600} component="h3">
          {provider}
        </Text>
        {Object.values(unknown).some((reason) => reason !== 'not_stored' && reason !== 'not_run') && (
          <Badge size="xs" color="yellow">
            unknown
          </Badge>
        )}
      </Group>
      <dl className={classes.values}>
        {Object.entries(facts).map(([id, value]) => (
          <div key={id} style={{ display: 'contents' }}>
            <dt>{id}</dt>
            <dd>{value === null ? <Unknown reason={unknown[id]} /> : String(value)}</dd>
          </div>
        ))}
      </dl>
      {(hasEvidence || source !== null) && (
        <div className={classes.evidence}>
          {hasEvidence && <Evidence evidence={evidence} />}
          {source !== null && <Dimmed mt={4}>{`data: ${source}`}</Dimmed>}
        </div>
      )}
    </li>
  );
}

function Unknown({ reason }: { readonly reason: string | undefined }) {
  const known = reason === undefined ? 'no reason was recorded' : (REASONS[reason] ?? reason);
  return (
    <Dimmed span size="sm" fs="italic">
      {reason === 'not_stored' ? known : `unknown: ${known}`}
    </Dimmed>
  );
}

function Evidence({ evidence }: { readonly evidence: NonNullable<Signal['evidence']> }) {
  const members = Object.entries(evidence);
  if (!members.every(([, value]) => isPlain(value) || (Array.isArray(value) && value.every(isPlain)))) {
    return <Code block>{JSON.stringify(evidence, null, 1)}</Code>;
  }
  return (
    <Dimmed>{`evidence: ${members.map(([name, value]) => `${name} ${shown(value)}`).join('; ')}`}</Dimmed>
  );
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value ?? 'none');
}
