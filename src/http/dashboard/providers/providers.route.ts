import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { ProviderServices } from './provider-services.ts';
import { presentProvider, presentServer } from './providers.presenter.ts';
import { PROVIDERS } from './providers.schema.ts';

const define = endpointsWith<ProviderServices>();

const listProviders = define({
  method: 'GET',
  path: '/providers',
  operationId: 'list_providers',
  summary: 'Every provider of signals, and how those stand whom they ask.',
  description: 'How often and how fast they answer is on record: `GET /overview` has it.',
  access: { operator: 'analyst' },
  answer: { status: 200, description: 'As they are in force now; secrets are hidden.', schema: PROVIDERS },
  handle: ({ providers, servers, deadlineMs, clock }) => ({
    providers: providers.map((provider) => presentProvider(provider, clock.now())),
    deadline_ms: deadlineMs,
    dns_servers: servers.map(presentServer),
  }),
});

export const PROVIDERS_AREA = defineArea({
  name: 'providers',
  description: 'Where signals come from.',
  services: ProviderServices,
  endpoints: [listProviders],
});
