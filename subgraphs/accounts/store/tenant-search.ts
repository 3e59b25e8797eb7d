import { run, type Database } from '../../../kernel/database.js'
import { TenantEntity, type TenantAccount } from './tenant.entity.js'

const SEARCH = {
  name: 'tenant_search',
  text: `select id from accounts.tenant where (id = $1 or lower(name) collate "C" like $2)
    and ($3::text is null or id < $3) order by id desc limit $4`,
}

/** Looks tenants up by what a person knows of them. */
export function tenantSearch(db: Database) {
  return {
    /** Those with this id, or whose name begins with the text in whatever case; newest first, with lower ids than `after`. */
    async searchTenants(search: string, after: string | undefined, limit: number): Promise<TenantAccount[]> {
      const begin = search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
      const found = await run<{ id: string }>(db.pool, SEARCH, [search, `${begin}%`, after ?? null, limit])
      const id = { $in: found.map((row) => row.id) }
      return db.orm.em.fork().find(TenantEntity, { id }, { orderBy: { id: 'desc' } })
    },
  }
}
