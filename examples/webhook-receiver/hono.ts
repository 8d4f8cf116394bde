// A webhook receiver with Hono.
import { FrontdeskError, verifyWebhook } from '@frontdesk/client';
import { Hono } from 'hono';
import { serve } from 'srvx';
import { store } from './inbox.ts';

const app = new Hono();

app.post('/frontdesk', async (context) => {
  try {
    const event = await verifyWebhook({
      // The raw bytes: JSON that was parsed and serialised again has another signature.
      body: await context.req.arrayBuffer(),
      headers: context.req.raw.headers,
      // Several secrets during a rotation, separated by commas.
      secret: (process.env.WEBHOOK_SECRET ?? '').split(','),
    });
    // Respond only after storing: an event that got a 2xx is not sent again.
    store(event);
    return context.body(null, 204);
  } catch (error) {
    if (error instanceof FrontdeskError) {
      return context.text(error.code, 401);
    }
    // A status of 500 asks Frontdesk to deliver the event again later.
    throw error;
  }
});

// A proxy on this machine ends TLS in front of it.
const address = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) };
await serve({ fetch: app.fetch, ...address, silent: true }).ready();
