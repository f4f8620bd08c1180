import { Badge, Code, Drawer, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Provider, ProviderFigures } from '../../api/providers.ts';
import { formatCounted } from '../../format/numbers.ts';
import { HorizontalBars } from '../../ui/charts/horizontal-bars.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import classes from './providers.module.css';

interface Props {
  /** Undefined while the drawer is closed. */
  readonly provider: Provider | undefined;
  /** Undefined until they are known. */
  readonly figures: ProviderFigures | undefined;
  readonly deadlineMs: number;
  readonly onClose: () => void;
}

/** All that is known of one provider. */
export function ProviderDrawer({ provider, figures, deadlineMs, onClose }: Props) {
  return (
    <Drawer
      opened={provider !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={provider?.id ?? ''}
    >
      {provider !== undefined && (
        <Stack gap="lg">
          <Text size="sm">{provider.description}</Text>
          <dl className={classes.particulars}>
            <Particular name="Waits for">{provider.needs.join(', ') || 'no other provider'}</Particular>
            <Particular name="May use">{provider.uses.join(', ') || 'nothing'}</Particular>
            <Particular name="Data">{provider.source ?? 'none of its own'}</Particular>
            {provider.stage === 'network' && (
              <Particular name="Given up after">{`${provider.timeout_ms ?? deadlineMs} ms`}</Particular>
            )}
            <Particular name="Answers are kept">{describeCache(provider.cache)}</Particular>
          </dl>
          <Section title="Why it did not know">
            {figures === undefined || figures.reasons.length === 0 ? (
              <Dimmed size="sm">{figures ? 'Nothing was left unknown in this time.' : '…'}</Dimmed>
            ) : (
              <HorizontalBars
                title="Checks by reason"
                bars={figures.reasons.map(({ reason, checks }) => ({
                  ...{ id: reason, label: reason, value: checks },
                }))}
                color="chart-2"
              />
            )}
          </Section>
          <Section title="Facts">
            <ul className={classes.facts}>
              {provider.facts.map((fact) => (
                <li key={fact.id}>
                  <Group gap="xs">
                    <Code>{fact.id}</Code>
                    <Dimmed>{fact.values.length > 0 ? fact.values.join(' | ') : fact.type}</Dimmed>
                    {fact.slot !== null && <Mark>in the response</Mark>}
                    {fact.is_never_unknown && <Mark>always known</Mark>}
                    {fact.is_personal && <Mark>quotes the address</Mark>}
                  </Group>
                  <Text size="sm">{fact.description}</Text>
                </li>
              ))}
            </ul>
          </Section>
          {provider.lists.length > 0 && (
            <Section title="Lists">
              <List size="sm">
                {provider.lists.map(({ name, version, entries, age_days }) => (
                  <List.Item key={name}>
                    {`${name}${version === null ? '' : ` ${version}`}: ${formatCounted(entries, 'entry', 'entries')}`}
                    {age_days !== null && `, ${formatCounted(age_days, 'day')} old`}
                  </List.Item>
                ))}
              </List>
            </Section>
          )}
          {provider.options.length > 0 && (
            <Section title="Options">
              <dl className={classes.particulars}>
                {provider.options.map(({ name, value, description }) => (
                  <Particular key={name} name={`providers.${provider.id}.${name}`}>
                    <Code>{JSON.stringify(value)}</Code>
                    {description !== null && <Dimmed>{description}</Dimmed>}
                  </Particular>
                ))}
              </dl>
            </Section>
          )}
        </Stack>
      )}
    </Drawer>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Particular({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Mark({ children }: { readonly children: string }) {
  return (
    <Badge size="xs" color="gray">
      {children}
    </Badge>
  );
}

function describeCache(cache: Provider['cache']): string {
  if (cache === null) return 'not at all';
  const { by, known_seconds: known, unknown_seconds: unknown } = cache;
  return `by ${by}, for ${known} s; what failed for ${unknown} s`;
}
