import { expect, it } from 'vitest';
import { expectRefusal, startTestService } from '../../support/service.ts';

it('dashboard.enabled: false serves neither the API nor a page, and makes no set-up link', async () => {
  const service = await startTestService({ dashboard: { enabled: false } });
  expect(service.setupPath).toBeNull();
  for (const path of ['/', '/dashboard/api/session', '/dashboard/api/openapi.json']) {
    expectRefusal(await service.send({ path }), 'not_found');
  }
  expect((await service.check('jane@example.com')).status).toBe(200);
  await service.stop();
});
