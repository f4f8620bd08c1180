// Writes the descriptions in docs/ and the types that are made of them anew. A test holds them to the source; run it after
// a change of a schema, of an endpoint, of the table of errors or of the version: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import openapiTypes, { astToString } from 'openapi-typescript';
import type { AnyArea } from '../src/http/dashboard/area.ts';
import { describeDashboardApi } from '../src/http/dashboard/openapi/document.ts';
import { describeApi } from '../src/http/openapi/document.ts';
import { packageRoot } from '../src/package-root.ts';
import { readVersion } from '../src/version.ts';

/** What the files hold, by their paths from the root. */
export async function generate(areas: readonly AnyArea[]): Promise<ReadonlyMap<string, string>> {
  const document = describeApi(readVersion());
  const dashboard = JSON.stringify(describeDashboardApi(areas, readVersion()), null, 2);
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/dashboard-openapi.json', `${dashboard}\n`],
    ['examples/postern.d.ts', await typesOf(document)],
    ['dashboard/src/api/schema.d.ts', `${GENERATED_CLIENT}${astToString(await openapiTypes(dashboard))}`],
  ]);
}

const GENERATED_CLIENT = '// Generated from docs/dashboard-openapi.json by `npm run openapi`.\n\n';

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
  // As built: Node strips types, and the services of areas have decorators.
  const { AREAS } = await import(join(packageRoot, 'dist/src/http/dashboard/areas.js'));
  for (const [path, text] of await generate(AREAS)) writeFileSync(join(packageRoot, path), text);
}
