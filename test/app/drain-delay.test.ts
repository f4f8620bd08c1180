import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it('a service that is stopped keeps answering for http.drain_delay_ms, while /readyz answers that it is not ready', async () => {
  const service = await startTestService({ http: { drain_delay_ms: 1_500 } });
  const stopped = service.stop();
  const ready = await service.send({ path: '/readyz' });
  expect(ready.status).toBe(503);
  expect(ready.json).toMatchObject({ status: 'not_ready', states: { accepting: 'failing', storage: 'ok' } });
  expect((await service.check('jane@example.com')).status).toBe(200);
  await stopped;
  await expect(service.check('jane@example.com')).rejects.toThrow();
});
