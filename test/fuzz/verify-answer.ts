import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { CHECK_RESPONSE } from '../../src/http/v1/check.presenter.ts';
import type { Answer } from './answer-reader.ts';
import type { Expected } from './fuzz-case.ts';

const isCheck = new Ajv2020({ allowUnionTypes: true }).compile(CHECK_RESPONSE);
/** What says which software runs, or opens the keys to browsers. */
const FORBIDDEN = /^(server|x-powered-by|via|set-cookie|access-control-.*)$/;

/** What is wrong with an answer; nothing when it is one that the contract allows. */
export function verifyAnswer(answer: Answer, expected: Expected): string[] {
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(text);
  const values = (name: string) => answer.headers.filter(([n]) => n === name).map(([, value]) => value);
  const one = (name: string): string => {
    const [value = '', ...more] = values(name);
    if (value === '' || more.length > 0) fault(`${name} stands ${values(name).length} times`);
    return value;
  };

  if (answer.version !== '1.1') fault(`answered in HTTP/${answer.version}`);
  if (answer.status >= 500) fault(`status ${answer.status}`);
  const isPage = one('content-type') === 'text/html; charset=utf-8';
  if (isPage) faults.push(...verifyPage(answer, expected, values));
  else if (values('content-type').join() !== 'application/json')
    fault(`content-type ${values('content-type')}`);
  one('date');
  one('connection');
  for (const [name] of answer.headers) if (FORBIDDEN.test(name)) fault(`header ${name}`);
  const requestId = one('request-id');
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(requestId)) fault(`request-id ${requestId}`);
  if (expected.requestId !== undefined && requestId !== expected.requestId) {
    fault(`request-id ${requestId} in place of ${expected.requestId}`);
  }

  const code = answer.status === 200 ? 'ok' : codeOf(answer, expected.isHead === true);
  if (code === undefined) fault(`status ${answer.status} with a body that is no envelope of it`);
  else if (expected.codes && !expected.codes.includes(code)) {
    fault(`${code} where only ${expected.codes.join(', ')} is right`);
  }
  if (expected.isHead === true || isPage) return faults;
  if (code === 'ok') faults.push(...verifySuccess(answer, expected, values('postern-ruleset')));
  else if (code !== undefined) faults.push(...verifyRefusal(answer, requestId, values));
  return faults;
}

/** The code that an envelope names, where it is one of this status; HEAD leaves only the status to go by. */
function codeOf(answer: Answer, isHead: boolean): ErrorCode | undefined {
  const codes = Object.entries(ERRORS).filter(([, { status }]) => status === answer.status);
  const named = isHead ? codes[0]?.[0] : parse(answer.body)?.error?.code;
  // The cast follows the search: what is found in ERRORS is one of its codes.
  return codes.find(([code]) => code === named)?.[0] as ErrorCode | undefined;
}

function verifyRefusal(answer: Answer, requestId: string, values: (name: string) => string[]): string[] {
  const faults: string[] = [];
  const json = parse(answer.body);
  const { code, message, request_id, details, ...more } = json?.error ?? {};
  if (Object.keys(json).join() !== 'error' || Object.keys(more).length > 0)
    faults.push('more than the envelope');
  if (message !== ERRORS[code as ErrorCode].message) faults.push('not the message of the table');
  if (request_id !== requestId) faults.push(`request_id ${request_id} beside Request-Id ${requestId}`);
  if (details !== undefined || code === 'unparseable_email') {
    if (!Array.isArray(details) || !details.every(isDetail)) faults.push('details are not of their form');
  }
  const needed: Readonly<Record<number, string>> = {
    401: 'www-authenticate',
    405: 'allow',
    429: 'retry-after',
  };
  const header = needed[answer.status];
  if (header !== undefined && values(header).length !== 1) faults.push(`${answer.status} without ${header}`);
  if (values('retry-after').some((seconds) => !/^[1-9]\d*$/.test(seconds)))
    faults.push('retry-after is no number');
  return faults;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever came
function isDetail(detail: any): boolean {
  const { fault, position, message, ...more } = detail ?? {};
  return (
    typeof fault === 'string' &&
    Number.isInteger(position) &&
    position >= 0 &&
    typeof message === 'string' &&
    Object.keys(more).length === 0
  );
}

function verifySuccess({ body }: Answer, { email }: Expected, ruleset: readonly string[]): string[] {
  const json = parse(body);
  if (isOfOperations(json)) return [];
  if (!isCheck(json)) {
    return [
      `200 outside its schema: ${isCheck.errors?.map((e) => `${e.instancePath} ${e.message}`).join('; ')}`,
    ];
  }
  const faults: string[] = [];
  if (!/^[0-9a-f]{16}$/.test(ruleset.join())) faults.push(`postern-ruleset ${ruleset}`);
  // biome-ignore lint/suspicious/noExplicitAny: its form was checked just now
  const { normalized } = json as any;
  if (email !== undefined && normalized.raw !== email) faults.push('normalized.raw is not what was sent');
  if (normalized.canonical !== `${normalized.local_part}@${normalized.domain}`)
    faults.push('canonical falls apart');
  return faults;
}

/** The dashboard's page: the same for everyone, and under a policy. */
function verifyPage(
  { status, body }: Answer,
  { isHead = false }: Expected,
  values: (name: string) => string[],
): string[] {
  const faults: string[] = [];
  if (status !== 200) faults.push(`a page with status ${status}`);
  if (values('content-security-policy').length !== 1) faults.push('a page without a policy');
  if (!isHead && !body.toString().startsWith('<!doctype html>')) faults.push('a page that is none');
  return faults;
}

/** The bodies of /healthz, /readyz and /openapi.json. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came
function isOfOperations(json: any): boolean {
  if (json?.openapi !== undefined) return json.openapi.startsWith('3.1') && json.paths !== undefined;
  const { status, states = {}, ...more } = json ?? {};
  const isFine =
    status === 'ok' || (status === 'ready' && Object.values(states).every((state) => state === 'ok'));
  return isFine && Object.keys(more).length === 0;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever came
function parse(body: Buffer): any {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
