import { GRAPHQL_ERRORS } from '../gateway/graphql/error-codes.js'
import { QUERY_LIMITS } from '../gateway/graphql/query-limits.js'
import { ERRORS, isErrorCode, type ErrorCode } from '../kernel/errors.js'
import { errorsOf, COMMON_ERRORS, type Route } from './route.js'
import { REFUSED } from './kyc-routes.js'
import { EVENTS_ROUTE } from './payment-events.js'
import { ROUTES } from './routes.js'

/** What each limit counts. */
const LIMITED: Record<keyof typeof QUERY_LIMITS, string> = {
  tokens: 'Words and signs of the document',
  repeats: 'The same field in one place, inline fragments included',
  depth: 'Fields within fields',
  aliases: 'Aliases, with fragments written out',
  fields: 'Fields, with fragments written out',
  conditions:
    '`@skip` and `@include`, fragments written out, each counted once for itself and once for each that is around it',
  rootFields: 'Fields of `Query` or `Mutation`',
  cost: 'Objects that the answer can have: lists count with `first`',
}

/** `docs/errors.md`: the tables of errors for people, with the routes that may answer each, and GraphQL's own. */
export function errorsTable(): string {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  return [
    '# Errors',
    '',
    'Written by `npm run schema` from `kernel/errors.ts` and `rest-compat/routes.ts`. REST answers the code as `status`;',
    'GraphQL answers it in capitals: in the `errors` of a mutation that was refused, otherwise as `extensions.code`. The decisions',
    '`docs/adr/0003-errors-by-code.md` and `docs/adr/0027-mutation-payloads.md` say why.',
    '',
    '| Code | HTTP | Message | Routes |',
    '| --- | --- | --- | --- |',
    ...codes.map((code) => `| \`${code}\` | ${ERRORS[code].http} | ${ERRORS[code].message} | ${routesWith(code)} |`),
    '',
    '## GraphQL',
    '',
    'Written from `gateway/graphql/error-codes.ts` and `gateway/graphql/query-limits.ts`. These codes are of GraphQL only, and',
    'are answered before anything runs. A failure of the first table is answered with 200, beside the data that there is. A client',
    'that does not accept `application/graphql-response+json` gets 200 for a document or variables that are wrong, too.',
    '',
    'A field is named in one way, in `extensions.errors[].field` (joined by points) and in `path` of the `errors` of a mutation: the argument',
    'of the field that was asked, and the fields within it (`first`, `ids.1`, `filter.amount.currency`); of an argument `input` its fields',
    'alone (`amountFrom`, `splitPaymentConfig.0.receiverWallet`). What a client calls its variables does not matter.',
    '',
    '| Code | HTTP | When |',
    '| --- | --- | --- |',
    ...Object.entries(GRAPHQL_ERRORS).map(([code, { http, when }]) => `| \`${code}\` | ${http} | ${when} |`),
    '',
    'What one query may ask for:',
    '',
    '| What | At most |',
    '| --- | --- |',
    ...Object.entries(LIMITED).map(
      ([name, what]) => `| ${what} | ${QUERY_LIMITS[name as keyof typeof QUERY_LIMITS]} |`,
    ),
    '',
    "Against its key's rate a document counts 1, as a request to a REST path does, or more by its size: 1 for each field of `Query` or",
    '`Mutation`; by what its answer may hold, about 1 for 50 objects or 250 values (JSON such as `metadata` counts as 40), without',
    'what `@skip` and `@include` leave out; and the first time, 1 for 150 words and signs. No answer is larger than 10 MB. Four documents',
    'of a tenant that count more than 1 run at once, the others wait for them.',
    '',
  ].join('\n')
}

const BEFORE_ANY_PATH: readonly ErrorCode[] = ['bad_request', 'headers_too_large', 'request_timeout']

function routesWith(code: ErrorCode): string {
  if (COMMON_ERRORS.includes(code)) return 'all'
  const routes: Pick<Route, 'method' | 'path'>[] = ROUTES.filter((route) => errorsOf(route).includes(code))
  routes.push(...REFUSED.filter((refused) => refused.code === code))
  if (EVENTS_ROUTE.errors.includes(code)) routes.push(EVENTS_ROUTE)
  if (routes.length >= ROUTES.length) return 'all'
  const writing: readonly Pick<Route, 'method' | 'path'>[] = ROUTES.filter(({ method }) => method !== 'GET')
  if (routes.length === writing.length && writing.every((route) => routes.includes(route)))
    return 'all POST, PATCH and DELETE'
  if (BEFORE_ANY_PATH.includes(code)) return 'before a path is known'
  if (code === 'not_found') return 'any path that is not known'
  return routes.map(({ method, path }) => `\`${method} ${path}\``).join('<br>') || '–'
}
