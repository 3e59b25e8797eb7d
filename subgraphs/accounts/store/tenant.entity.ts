import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { Product } from '../../../kernel/tenant.js'

/** A customer of the deployment, who owns keys, integrations, payments, orders and sessions. */
export const TenantEntity = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    products: p.array().$type<Product[]>(),
    /** The fiat currencies that it is narrowed to; null for all of the deployment's. */
    fiats: p.array().nullable(),
    createdAt: p.datetime(3),
    /** Since when none of its keys opens anything; null for never. */
    disabledAt: p.datetime(3).nullable(),
  },
})
export type TenantAccount = InferEntity<typeof TenantEntity>
