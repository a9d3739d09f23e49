/**
 * The yardstick of the HTTP measurements: a bare Fastify route that validates the body of a Black–Scholes call and sends it
 * back.
 */
import { fastify } from 'fastify'

const number = { type: 'number' }
const app = fastify()
app.post(
  '/quantlib/pricing/bs/price',
  {
    schema: {
      body: {
        type: 'object',
        additionalProperties: false,
        required: ['spot', 'strike', 'risk_free_rate', 'volatility', 'time_to_maturity'],
        properties: {
          spot: { type: 'number', exclusiveMinimum: 0 },
          strike: { type: 'number', exclusiveMinimum: 0 },
          risk_free_rate: number,
          volatility: { type: 'number', minimum: 0 },
          time_to_maturity: { type: 'number', minimum: 0 },
          dividend_yield: { type: 'number', default: 0 },
          option_type: { type: 'string', enum: ['call', 'put'], default: 'call' },
        },
      },
    },
  },
  async (request) => request.body,
)
app.get('/readyz', async () => ({ success: true }))
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
