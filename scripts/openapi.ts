// Writes docs/openapi.json and examples/postern.d.ts anew. A test holds both to the source; run it after a change
// of a schema, of the table of errors or of the version: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { describeApi } from '../src/http/openapi/document.ts';
import { packageRoot } from '../src/package-root.ts';
import { readVersion } from '../src/version.ts';

/** What the files hold, by their paths from the root. */
export async function generate(): Promise<ReadonlyMap<string, string>> {
  const document = describeApi(readVersion());
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['examples/postern.d.ts', await typesOf(document)],
  ]);
}

/** A type for each schema that a client meets. */
async function typesOf({ components }: ReturnType<typeof describeApi>): Promise<string> {
  const { check_request, check, error_envelope } = components.schemas;
  const types = Object.entries({ check_request, check, error_envelope }).map(([name, schema]) =>
    compile(schema, name, { bannerComment: '', style: { singleQuote: true } }),
  );
  return [
    '// Generated from the OpenAPI description (GET /openapi.json) by `npm run openapi`.\n',
    ...(await Promise.all(types)),
  ].join('\n');
}

if (import.meta.main) {
  for (const [path, text] of await generate()) writeFileSync(join(packageRoot, path), text);
}
