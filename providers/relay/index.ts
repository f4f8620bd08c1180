import { closestSuffix, defineProvider } from 'postern/provider-kit';
import { loadServices } from './load.ts';

/** The name of the service by its domains. */
type State = ReadonlyMap<string, string>;

export default defineProvider<State>({
  id: 'relay',
  apiVersion: 1,
  description: 'Whether the domain forwards to a mailbox that its owner has somewhere else.',
  stage: 'local',
  facts: [
    {
      id: 'relay.is_relay',
      type: 'boolean',
      description:
        'The domain belongs to a relay, such as Hide My Email or Firefox Relay: no throw-away mail.',
      example: false,
      never_unknown: true,
    },
  ],
  prepare: () => {
    const services = loadServices();
    const state = new Map(services.flatMap(({ service, domains }) => domains.map((name) => [name, service])));
    const dates = services.map(({ date }) => date).sort();
    const date = dates.at(-1) ?? 'none';
    return {
      state,
      source: `relays@${date}`,
      lists: [{ name: 'data/relays.yaml', date, entries: state.size }],
    };
  },
  check: ({ canonical }, { state }) => {
    const relay = closestSuffix(canonical.domain, state);
    if (relay === undefined) return { facts: { 'relay.is_relay': false } };
    return { facts: { 'relay.is_relay': true }, evidence: { relay, service: state.get(relay) } };
  },
});
