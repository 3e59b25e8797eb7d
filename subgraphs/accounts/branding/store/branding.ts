import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'

/** A picture, and what it is: `image/png`, `image/jpeg` or `image/webp`. */
export interface Logo {
  bytes: Buffer
  type: string
}

/** How a tenant's payment pages look. */
export interface Branding {
  /** In place of the tenant's name. */
  displayName: string | null
  /** `#rrggbb`. */
  accentColor: string | null
  /** Another one for each picture; null where there is none. */
  logoVersion: string | null
  /** The origins of sites that may show a page in a frame. */
  embedOrigins: readonly string[]
}

/** What changes: what is left out stays. */
export interface BrandingChange extends Partial<Omit<Branding, 'logoVersion'>> {
  logo?: (Logo & { version: string }) | null
}

const FIND = {
  name: 'branding_find',
  text: `select display_name as "displayName", accent_color as "accentColor", logo_version as "logoVersion",
    array_to_json(embed_origins)::text as "embedOrigins" from accounts.branding where tenant_id = $1`,
}

const LOGO = {
  name: 'branding_logo',
  text: `select encode(logo, 'base64') as base64, logo_type as type from accounts.branding
    where tenant_id = $1 and logo is not null`,
}

const NONE: Branding = { displayName: null, accentColor: null, logoVersion: null, embedOrigins: [] }

type Row = Omit<Branding, 'embedOrigins'> & { embedOrigins: string } & Record<string, unknown>

export type BrandingStore = ReturnType<typeof brandingStore>

export function brandingStore(db: Database) {
  return {
    find: async (tenantId: string): Promise<Branding> => {
      const [row] = await run<Row>(db.pool, FIND, [tenantId])
      return row ? { ...row, embedOrigins: JSON.parse(row.embedOrigins) as string[] } : NONE
    },
    logo: async (tenantId: string): Promise<Logo | undefined> => {
      const [row] = await run<{ base64: string; type: string }>(db.pool, LOGO, [tenantId])
      return row && { bytes: Buffer.from(row.base64, 'base64'), type: row.type }
    },
    /** Changes what is named, all of it or nothing. */
    async change(em: Transaction, tenantId: string, change: BrandingChange): Promise<void> {
      const { displayName, accentColor, embedOrigins, logo } = change
      const set = async (assignment: string, values: readonly unknown[]): Promise<void> => {
        await executeIn(em, `update accounts.branding set ${assignment} where tenant_id = ?`, [...values, tenantId])
      }
      await executeIn(em, 'insert into accounts.branding (tenant_id) values (?) on conflict do nothing', [tenantId])
      if (displayName !== undefined) await set('display_name = ?', [displayName])
      if (accentColor !== undefined) await set('accent_color = ?', [accentColor])
      if (embedOrigins !== undefined) {
        await set('embed_origins = array(select json_array_elements_text(?::json))', [JSON.stringify(embedOrigins)])
      }
      if (logo === undefined) return
      await set(`logo = decode(?, 'base64'), logo_type = ?, logo_version = ?`, [
        logo?.bytes.toString('base64') ?? null,
        logo?.type ?? null,
        logo?.version ?? null,
      ])
    },
  }
}
