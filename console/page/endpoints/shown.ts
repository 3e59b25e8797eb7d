import type { EndpointsResult } from '../generated/operations.js'

/** An integration as the place that events go to. */
export type ShownEndpoint = NonNullable<EndpointsResult['account']>['integrations'][number]
