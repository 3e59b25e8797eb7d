/** How a tenant's payment pages look, and which sites may show them in a frame. */
export const addBranding = [
  `create table accounts.branding (
      tenant_id text primary key references accounts.tenant (id),
      display_name text,
      accent_color text,
      logo bytea,
      logo_type text,
      logo_version text,
      embed_origins text[] not null default '{}',
      check ((logo is null) = (logo_type is null) and (logo is null) = (logo_version is null))
    )`,
]
