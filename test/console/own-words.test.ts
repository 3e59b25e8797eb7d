import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAsOwner } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
usesBrowser()

describe.skipIf(noBrowser)(`what is wrong in a form${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is said in the page’s language, not in the browser’s, and forgotten once it is mended', async () => {
    const { page, part, assertClean } = await openAsOwner(harness, '/orders/new', { locale: 'en-GB' })
    await part('language').selectOption('pt')
    const hintOf = (name: string) =>
      part(name).evaluate((field: HTMLInputElement) => [field.validity.valid, field.validationMessage])
    const send = page.getByRole('button', { name: 'Criar o link' })
    await part('order-token').waitFor()
    await part('order-price').fill('abc')
    await send.click()
    expect(await hintOf('order-item')).toEqual([false, 'Preencha este campo.'])
    const form = page.getByText('Escreva assim: 1234,56 ou 1.234,56.')
    await form.waitFor()
    // As it is written in Brazil: the payer sees what was read.
    await part('order-price').fill('1.234,56')
    await part('preview')
      .getByText(/^R\$\s1\.234,56$/)
      .waitFor()
    expect(await form.count()).toBe(0)
    await part('order-item').fill('Bolo')
    await part('receiver-wallet').fill('0x1')
    await send.click()
    expect(await hintOf('receiver-wallet')).toEqual([false, 'O formato não serve.'])
    await part('receiver-wallet').fill(harness.chain.newReceiver())
    await send.click()
    await part('order-made').waitFor()
    assertClean()
  })

  it('that GraphQL itself refuses is said in words, and of its field', async () => {
    const { page, part } = await openAsOwner(harness, '/people')
    await part('language').selectOption('pt')
    await page.getByRole('button', { name: 'Convidar uma pessoa' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type="email"]').fill('a@b')
    await dialog.locator('button[type="submit"]').click()
    await part('refusal').getByText('Endereço de e-mail: valor não aceito').waitFor()
  })
})
