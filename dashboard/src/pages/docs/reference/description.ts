/** The part of OpenAPI 3.1 that the descriptions in `docs/` use. */
export interface Description {
  readonly info: { readonly title: string; readonly summary?: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

interface Reference {
  readonly $ref: string;
}

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

interface HeaderObject {
  readonly description?: string;
}

interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Content;
}

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A body in one media type. */
export interface Body {
  readonly mediaType: string;
  readonly schema: Schema | undefined;
  readonly example: unknown;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly bodies: readonly Body[];
}

export interface Operation {
  /** Unique in its description; also its anchor. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Its security schemes, such as `api_key` or `session`. */
  readonly identifiedBy: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly Body[];
  readonly answers: readonly Answer[];
  readonly refusals: readonly { readonly status: string; readonly code: string; readonly message: string }[];
}

const nameOf = ({ $ref }: Reference): string => $ref.split('/').at(-1) ?? '';

const isReference = (part: object): part is Reference => '$ref' in part;

/** The schema that `$ref` names, with the name; null without a `$ref`, or where there is no such schema. */
export function namedSchema(schema: Schema, { components }: Description) {
  if (schema.$ref === undefined) return null;
  const name = nameOf({ $ref: schema.$ref });
  const found = components.schemas[name];
  return found === undefined ? null : { name, schema: found };
}

/** Every operation, in the order of the description. */
export function operationsOf(description: Description): readonly Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const answers = Object.entries(operation.responses).map(([status, answer]) => {
        const read = readAnswer(status, answer, description);
        return { ...read, refusals: refusalsOf(read) };
      });
      return {
        ...{ id: operation.operationId, method: method.toUpperCase(), path, tag: operation.tags[0] ?? '' },
        ...{ summary: operation.summary, description: operation.description ?? '' },
        identifiedBy: (operation.security ?? []).flatMap((scheme) => Object.keys(scheme)),
        parameters: operation.parameters ?? [],
        bodies: bodiesOf(operation.requestBody?.content),
        answers: answers.filter(({ refusals }) => refusals.length === 0),
        refusals: answers.flatMap(({ refusals }) => refusals),
      };
    }),
  );
}

function readAnswer(status: string, answer: ResponseObject | Reference, { components }: Description): Answer {
  const found = isReference(answer) ? components.responses[nameOf(answer)] : answer;
  const headers = Object.entries(found?.headers ?? {}).map(([name, header]) => {
    const said = isReference(header) ? components.headers[nameOf(header)] : header;
    return { name, description: said?.description ?? '' };
  });
  return { status, description: found?.description ?? '', headers, bodies: bodiesOf(found?.content) };
}

function bodiesOf(content: Content = {}): readonly Body[] {
  return Object.entries(content).map(([mediaType, { schema, example }]) => ({ mediaType, schema, example }));
}

/** A refusal's description has a line for each code: "`invalid_json`: The body is not JSON." */
function refusalsOf({ status, description }: Answer) {
  if (status < '400') return [];
  return [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = '', message = '']) => ({
    ...{ status, code, message },
  }));
}
