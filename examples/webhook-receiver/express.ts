// A webhook receiver with Express.
import { FrontdeskError, verifyWebhook } from '@frontdesk/client';
import express from 'express';
import { store } from './inbox.ts';

const app = express();

// `raw` and not `json`: the signature covers the bytes as they were sent.
app.post('/frontdesk', express.raw({ type: '*/*', limit: '2mb' }), async (request, response) => {
  try {
    const event = await verifyWebhook({
      body: request.body,
      headers: request.headers,
      // Several secrets during a rotation, separated by commas.
      secret: (process.env.WEBHOOK_SECRET ?? '').split(','),
    });
    // Respond only after storing: an event that got a 2xx is not sent again.
    store(event);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof FrontdeskError)) {
      // Express answers 500, which asks Frontdesk to deliver the event again later.
      throw error;
    }
    response.status(401).send(error.code);
  }
});

// A proxy on this machine ends TLS in front of it.
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
