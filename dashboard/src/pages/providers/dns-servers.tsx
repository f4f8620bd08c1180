import { Alert, Badge, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { DnsServer } from '../../api/providers.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** The DNS servers. An alert names those that are out: facts that need them are unknown, or slow. */
export function DnsServers({ servers }: { readonly servers: readonly DnsServer[] }) {
  const out = servers.filter(({ is_out }) => is_out);
  return (
    <>
      {out.length > 0 && (
        <Alert
          color={out.length === servers.length ? 'red' : 'orange'}
          icon={<IconPlugConnectedX aria-hidden />}
          title={out.length === servers.length ? 'No DNS server replies' : 'A DNS server does not reply'}
        >
          {out.map(({ server }) => server).join(', ')}
          {out.length === servers.length
            ? ': what look-ups would tell is unknown, and checks go on without it. '
            : ': the others are asked in its place. '}
          It is probed every five seconds. See dns.servers in the configuration, and whether this machine
          reaches them.
        </Alert>
      )}
      <Group gap="xs" role="group" aria-label="DNS servers">
        <Dimmed size="sm">DNS</Dimmed>
        {servers.length === 0 && <Text size="sm">none has been asked yet</Text>}
        {servers.map(({ server, is_out, since }) => (
          <Badge key={server} color={is_out ? 'red' : 'teal'} size="lg">
            {server} {is_out ? 'out' : 'replies'}
            {since !== null && (
              <>
                {', since '}
                <RelativeTime at={since} />
              </>
            )}
          </Badge>
        ))}
      </Group>
    </>
  );
}
