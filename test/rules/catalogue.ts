import type { FactDeclaration } from '../../src/provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../src/signals/signals.ts';

type Declared = Omit<FactDeclaration, 'description' | 'example'> & {
  readonly provider: string;
  readonly disabled?: true;
};

const FACTS: readonly Declared[] = [
  {
    id: 'syntax.valid_format',
    type: 'boolean',
    never_unknown: true,
    provider: 'syntax',
    slot: 'syntax.valid_format',
  },
  { id: 'syntax.fault_count', type: 'integer', never_unknown: true, provider: 'syntax' },
  { id: 'entropy.score', type: 'number', never_unknown: true, provider: 'entropy' },
  { id: 'entropy.suspicious', type: 'boolean', never_unknown: true, provider: 'entropy' },
  { id: 'domain.is_known_disposable', type: 'boolean', never_unknown: true, provider: 'disposable' },
  { id: 'domain.is_known_free_provider', type: 'boolean', never_unknown: true, provider: 'free_provider' },
  { id: 'domain.has_mx', type: 'boolean', provider: 'mx' },
  {
    id: 'mx.outcome',
    type: 'string',
    values: [
      'mx',
      'unresolvable_mx',
      'implicit_mx',
      'private_mx',
      'null_mx',
      'no_mail_host',
      'nxdomain',
      'not_a_name',
    ],
    provider: 'mx',
  },
  { id: 'mx.host_count', type: 'integer', provider: 'mx' },
  { id: 'mx.provider', type: 'string', values: ['other', 'google', 'microsoft'], provider: 'mx' },
  { id: 'domain.is_catch_all', type: 'boolean', provider: 'catch_all' },
  { id: 'domain.is_role_account', type: 'boolean', never_unknown: true, provider: 'role_account' },
  {
    id: 'domain.tld_risk_level',
    type: 'string',
    values: ['low', 'medium', 'high'],
    never_unknown: true,
    provider: 'tld',
  },
  { id: 'lists.allowed', type: 'boolean', never_unknown: true, provider: 'lists' },
  { id: 'lists.denied', type: 'boolean', never_unknown: true, provider: 'lists' },
  { id: 'disposable.listed_siblings', type: 'integer', never_unknown: true, provider: 'disposable' },
  {
    id: 'reach.far',
    type: 'string',
    values: ['none', 'some', 'much'],
    never_unknown: true,
    provider: 'reach',
  },
  { id: 'address.domain', type: 'domain', personal: 'domain', never_unknown: true, provider: 'address' },
  { id: 'address.registrable_domain', type: 'domain', personal: 'domain', provider: 'address' },
  { id: 'banner.text', type: 'text', provider: 'banner' },
  { id: 'off.flag', type: 'boolean', never_unknown: true, provider: 'off', disabled: true },
  { id: 'typo.suggestion', type: 'string', values: ['none', 'some'], personal: true, provider: 'typo' },
];

const THRESHOLDS: FactCatalogue['thresholds'] = new Map([
  [
    'entropy',
    {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          minimum_length: { type: 'integer', minimum: 1, default: 8 },
          steps: { type: 'array', items: { type: 'integer' } },
        },
      },
      check: ({ steps = [] }) =>
        (steps as readonly number[]).flatMap((step, at, all) =>
          at > 0 && step <= Number(all[at - 1]) ? [{ path: ['steps', at], message: 'must be above' }] : [],
        ),
    },
  ],
]);

/** A catalogue as the providers would declare it, and some facts more for what lint looks at. */
export const catalogue: FactCatalogue = {
  facts: new Map(FACTS.map((fact): [string, CataloguedFact] => [fact.id, describe(fact)])),
  thresholds: THRESHOLDS,
  never: [
    [
      { fact: 'domain.has_mx', operator: 'equal', value: true },
      { fact: 'mx.outcome', operator: 'in', value: ['nxdomain', 'null_mx'] },
    ],
  ],
};

function describe(fact: Declared): CataloguedFact {
  return { ...fact, description: `What ${fact.id} says.`, example: exampleOf(fact) };
}

function exampleOf({ type, values }: Declared): FactDeclaration['example'] {
  if (type === 'boolean') return true;
  if (type === 'string') return values?.[0] ?? '';
  if (type === 'domain') return 'example.org';
  return type === 'text' ? 'Some text' : 1;
}
