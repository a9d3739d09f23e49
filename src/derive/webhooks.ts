/** The events that the service posts to endpoints of its operator, as `webhooks` of its OpenAPI document. */
import type { Sources } from './documented-endpoints.ts'
import { plain, published } from './schemas.ts'

/** The messages to endpoints of the operator, as the Standard Webhooks specification has them. */
export const webhooksOf = (events: Sources['events']): object =>
  Object.fromEntries(
    Object.entries(events).map(([type, { data, example, isOfService, when }]) => {
      const { properties = {}, required = [], ...rest } = plain(data)
      const account = { account_id: { type: 'integer', description: 'the number of the account' } }
      const fields = isOfService ? properties : { ...account, ...properties }
      const named = isOfService ? required : ['account_id', ...required]
      const message = {
        type: 'object',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { const: type },
          timestamp: { type: 'string', format: 'date-time', description: 'when it happened' },
          data: published({ ...rest, required: named, properties: fields }),
        },
      }
      const sent = { type, timestamp: '2026-12-01T00:00:00.000Z' }
      const post = {
        summary: type,
        description: when,
        security: [],
        parameters: WEBHOOK_HEADERS.map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: message,
              example: { ...sent, data: isOfService ? example : { account_id: 1, ...(example as object) } },
            },
          },
        },
        responses: {
          '2XX': { description: 'The message is delivered; after any other reply it is sent again.' },
        },
      }
      return [type, { post }]
    }),
  )

const WEBHOOK_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
