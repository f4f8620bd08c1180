import { frozen, once } from '../../lib/concurrency.ts';
import { createOptionsAjv } from '../../lib/options-schema.ts';
import { messageOf } from '../../lib/thrown.ts';
import { originsOf } from '../../signals/check-provider.ts';
import {
  NO_COUNTS,
  type ReportBreach,
  readAnswer,
  readCounts,
  readPrepared,
  readThresholdFaults,
} from '../../signals/read-answer.ts';
import type { Address } from '../address.ts';
import type { HttpAnswer, JsonHttp, Ports } from '../ports.ts';
import type {
  Answer,
  Context,
  DownloadedList,
  FactValue,
  JsonSchema,
  Setup,
  SignalProvider,
} from '../provider.ts';
import { fakePorts } from './fake-ports.ts';

/** What a provider is given when it is asked. What is left out is as in a service that nothing was configured for. */
export interface Given {
  /** The section `providers.<id>`; defaults are filled in. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The provider's section of `rules/signals.yaml`; defaults are filled in. */
  readonly thresholds?: Readonly<Record<string, unknown>>;
  readonly lists?: Partial<Setup['lists']>;
  readonly downloads?: readonly DownloadedList[];
  /** Facts of other providers; null, which is unknown, where not given. */
  readonly needs?: Context['needs'];
  /** By fact, what was counted; 1 where not given. Null: nothing is counted, as in `postern check`. */
  readonly counted?: Readonly<Record<string, number>> | null;
  /** Ports in place of the fakes of `fakePorts`. The provider gets those that its `uses` name. */
  readonly ports?: Partial<Ports>;
}

/** What a provider answered, as the service reads it. */
export interface ProviderRun {
  readonly answer: Answer;
  /** Where it answered against its declaration; the service takes these facts for unknown, and says so in its log. */
  readonly breaches: readonly string[];
}

const ajv = once(() => createOptionsAjv({}));

/** A section as the service hands it over: checked against its schema, defaults filled in. Throws where it is refused. */
export function withDefaults(
  schema: JsonSchema | undefined,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const section = structuredClone(given);
  const closed = { type: 'object', properties: {}, additionalProperties: false, ...schema };
  const validate = ajv().compile(closed);
  if (validate(section)) return section;
  const faults = validate.errors?.map(({ instancePath, message, params: { additionalProperty: name } }) => {
    const such = name === undefined ? '' : `, such as "${name}"`;
    return `${instancePath.slice(1).replaceAll('/', '.')} ${message}${such}`.trim();
  });
  throw new Error(faults?.join('; '));
}

/** Prepares a provider as the start of the service does, and asks it about any number of addresses. Rejects with what `prepare` throws. */
export async function prepareProvider(provider: SignalProvider, given: Given = {}) {
  const sectionOf = (kind: 'options' | 'thresholds') => {
    try {
      return frozen(withDefaults(provider[kind], given[kind]));
    } catch (error) {
      throw new Error(`${kind}: ${messageOf(error)}`);
    }
  };
  const options = sectionOf('options');
  const thresholds = sectionOf('thresholds');
  const faults = readThresholdFaults(provider.checkThresholds?.(thresholds));
  if (faults.length > 0)
    throw new Error(
      `thresholds: ${faults.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
    );
  const { state } = readPrepared(
    await provider.prepare?.({
      options,
      thresholds,
      lists: frozen(structuredClone({ allow: [], deny: [], ...given.lists })),
      downloads: async () => Object.freeze([...(given.downloads ?? [])]),
    }),
  );
  const needs = Object.fromEntries((provider.needs ?? []).map((id) => [id, null]));
  const ports = Object.entries(fakePorts(given.ports)).filter(([name]) =>
    provider.uses?.some((used) => used === name),
  );
  const origins = originsOf(provider.http?.origins ?? [], options);
  const context: Context<unknown> = {
    ...Object.fromEntries(ports),
    options,
    thresholds,
    state,
    needs: frozen<Record<string, FactValue | null>>({ ...needs, ...given.needs }),
    signal: new AbortController().signal,
  };
  /** Rejects with what `check` or `counts` throws. */
  return async (address: Address, signal = context.signal): Promise<ProviderRun> => {
    const breaches: string[] = [];
    const report = (breach: string) => void breaches.push(breach);
    const counted = countedBy(provider, address, { context, given, report });
    const http = context.http && heldTo(context.http, origins, report);
    const granted = { ...context, signal, ...(http && { http }), ...(counted && { counted }) };
    const asked: unknown = provider.check(address, granted);
    const answer = provider.stage === 'network' ? await asked : asked;
    return { answer: readAnswer(provider, answer, report), breaches };
  };
}

/** Refuses the requests that the service would refuse. Reports no path of a URL, which may quote the address. */
function heldTo(http: JsonHttp, origins: ReadonlySet<string>, report: ReportBreach): JsonHttp {
  const refused = (text: string): HttpAnswer | undefined => {
    const url = URL.parse(text);
    if (url?.username !== '' || url.password !== '') {
      report('asked what is no URL, or has a user or password: the service refuses it');
      return { outcome: 'refused', code: 'url' };
    }
    if (origins.has(url.origin)) return undefined;
    report(`asked ${url.origin}, which its http.origins do not name: the service refuses it`);
    return { outcome: 'refused', code: 'origin' };
  };
  return {
    getJson: async (url, request) => refused(url) ?? http.getJson(url, request),
    request: async (url, request) => refused(url) ?? http.request(url, request),
  };
}

/** What the host would have counted; undefined where nothing is. */
function countedBy(
  provider: SignalProvider,
  address: Address,
  asking: { readonly context: Context<unknown>; readonly given: Given; readonly report: ReportBreach },
): Readonly<Record<string, number>> | undefined {
  if (provider.stage !== 'local' || !provider.counts || asking.given.counted === null) return undefined;
  const counts = readCounts(provider, provider.counts(address, asking.context));
  if (!counts) asking.report(NO_COUNTS);
  const facts = (counts ?? []).flatMap((count) => Object.keys(count.facts));
  return frozen({ ...Object.fromEntries(facts.map((id) => [id, 1])), ...asking.given.counted });
}
