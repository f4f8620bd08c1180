import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readPage } from '../docs/markdown.ts';
import { findPrograms } from '../support/programs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { faultsOf, queriedSeries } from './promql.ts';

const { promtool } = findPrograms('promtool');

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

const FILE = 'deploy/grafana/postern.json';
const dashboard = JSON.parse(readPage(FILE)) as {
  panels: Panel[];
  annotations: { list: { expr: string }[] };
};
const { panels } = dashboard;
const targets = panels.flatMap((panel) => panel.targets ?? []);
const expressions = [...targets, ...dashboard.annotations.list].map(({ expr }) => expr);

describe(FILE, () => {
  it('queries only metrics that the service exposes, and names series only by remaining labels', async () => {
    const series = await queriedSeries();
    expect(expressions.flatMap((expr) => faultsOf(expr, series))).toEqual([]);
    for (const { expr, legendFormat } of targets) {
      const [, kept] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
      const [name = ''] = /\b(?:postern|process|nodejs)_\w+|\bup\b/.exec(expr) ?? [];
      const labels = kept?.split(', ') ?? (/^(sum|min)\(/.test(expr) ? [] : series.get(name));
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels, expr).toContain(label);
    }
  });

  it('has panels that do not overlap, each with a title and an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ title }) => title === '')).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it.skipIf(promtool === null)('has queries that Prometheus can parse', async () => {
    const file = join(temporaryDirectory(), 'queries.json');
    const rules = expressions.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll(/\$__(rate_)?interval/g, '5m').replaceAll('$instance', '.*'),
    }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const { stdout } = await promisify(execFile)(promtool ?? '', ['check', 'rules', file]);
    expect(stdout).toContain(`SUCCESS: ${expressions.length} rules found`);
  });
});
