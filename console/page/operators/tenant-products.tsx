import { Button, Checkbox, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { changeTenantProductsMutation, type Product } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Section } from '../parts/section.js'
import { useSubmit } from '../parts/use-submit.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownTenant } from './shown.js'

/** Saving replaces the whole set: a product that is not here would be switched off by it. */
const EVERY_PRODUCT: Readonly<Record<Product, true>> = { CRYPTO: true, PIX: true, CREDIT_CARD: true, KYC: true }
const PRODUCTS = Object.keys(EVERY_PRODUCT) as Product[]

/** What a tenant may use. */
export function TenantProducts({ tenant, onChange }: { tenant: ShownTenant; onChange: () => void }): ReactNode {
  const t = useText()
  const texts = t.operators.tenants
  const [chosen, setChosen] = useState<readonly string[]>(tenant.products)
  const change = useProvenAct(changeTenantProductsMutation)
  const { submit, isBusy, refused, isDone } = useSubmit(() => {
    const products = PRODUCTS.filter((product) => chosen.includes(product))
    return refusalOf(change({ id: tenant.id, products }), onChange)
  })
  return (
    <Section title={texts.products} test="products">
      <Checkbox.Group aria-label={texts.products} value={[...chosen]} onChange={setChosen}>
        <Group>
          {PRODUCTS.map((product) => (
            <Checkbox key={product} value={product} label={texts.productNames[product]} data-test="product" />
          ))}
        </Group>
      </Checkbox.Group>
      <Refusal refused={refused} />
      <Said text={isDone ? texts.saved : undefined} />
      <div>
        <Button variant="default" loading={isBusy} onClick={submit} data-test="save-products">
          {t.common.save}
        </Button>
      </div>
    </Section>
  )
}
