import { Button, Checkbox, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { changeTenantProductsMutation, type Product } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Section } from '../parts/section.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownTenant } from './shown.js'

/** Saving replaces the whole set: a product that is not here would be switched off by it. */
const EVERY_PRODUCT: Readonly<Record<Product, true>> = { CRYPTO: true, PIX: true, CREDIT_CARD: true, KYC: true }
const PRODUCTS = Object.keys(EVERY_PRODUCT) as Product[]

/** What a tenant may use. */
export function TenantProducts({ tenant, onChange }: { tenant: ShownTenant; onChange: () => void }): ReactNode {
  const texts = useText().operators.tenants
  const [chosen, setChosen] = useState<readonly string[]>(tenant.products)
  const [isBusy, setBusy] = useState(false)
  const [saved, setSaved] = useState<{ refused: Refused | undefined }>()
  const change = useProvenAct(changeTenantProductsMutation)
  const save = async (): Promise<void> => {
    setBusy(true)
    const products = PRODUCTS.filter((product) => chosen.includes(product))
    const { refused } = await change({ id: tenant.id, products })
    setBusy(false)
    setSaved({ refused })
    if (!refused) onChange()
  }
  return (
    <Section title={texts.products} test="products">
      <Checkbox.Group aria-label={texts.products} value={[...chosen]} onChange={setChosen}>
        <Group>
          {PRODUCTS.map((product) => (
            <Checkbox key={product} value={product} label={texts.productNames[product]} data-test="product" />
          ))}
        </Group>
      </Checkbox.Group>
      <Refusal refused={saved?.refused} />
      <Said text={saved && !saved.refused ? texts.saved : undefined} />
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void save()} data-test="save-products">
          {texts.save}
        </Button>
      </div>
    </Section>
  )
}
