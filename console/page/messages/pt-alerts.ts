type Texts = readonly (readonly [RegExp, string])[]

const deposits: Texts = [
  [/^(\S+) brought (.+) on (\S+), as did (\d+) others$/, '$1 trouxe $2 na rede $3, e outras $4 também trouxeram algo'],
  [/^(\S+) brought (.+) on (\S+)$/, '$1 trouxe $2 na rede $3'],
  [/^the payment waits for (\S+) on (\S+)$/, 'o pagamento espera $1 na rede $2'],
  [/^(.+) lay at (\S+) on (\S+) before it was opened$/, '$1 já estava em $2, na rede $3, antes de ser aberto'],
  [
    /^(.+) in all \((.+) since the last word\) came to (\S+) on (\S+) while it was not watched, and pays nothing$/,
    '$1 ao todo ($2 desde o último aviso) chegou a $3, na rede $4, quando não era observado, e não paga nada',
  ],
  [
    /^(.+) came to (\S+) on (\S+) while it was not watched, and pays nothing$/,
    '$1 chegou a $2, na rede $3, quando não era observado, e não paga nada',
  ],
  [
    /^(.+) of what came to (\S+) on (\S+) while it was not watched was found after all, or is there no more$/,
    'do que chegou a $2, na rede $3, quando não era observado, $1 foi encontrado depois, ou já não está lá',
  ],
  [/^(.+) pays nothing$/, '$1 não paga nada'],
  [/^since (\S+)$/, 'desde $1'],
  [/^(\S+) was mined as well$/, '$1 também entrou em um bloco'],
  [/^a bridge brings what it paid$/, 'uma ponte traz o que ela pagou'],
  [
    /^(\S+) has paid the receivers after its price had run out, and does not count$/,
    '$1 pagou os recebedores depois que o preço venceu, e não conta',
  ],
  [
    /^(\S+) brought it to the payment's own address, which can pay its receivers alone$/,
    '$1 trouxe isto ao endereço do próprio pagamento, que só pode pagar os recebedores dele',
  ],
]

const payouts: Texts = [
  [/^there is no treasury on this chain$/, 'não há tesouraria nesta rede'],
  [
    /^transactions of (\S+) that nobody here has written down are not confirmed yet$/,
    'há transações de $1 que ninguém aqui anotou e que ainda não estão confirmadas',
  ],
  [
    /^payouts wait until the transactions that name (\S+) are read: (.+)$/,
    'os repasses esperam até que as transações de $1 sejam lidas: $2',
  ],
  [/^payouts wait until it is known what (\S+) has sent$/, 'os repasses esperam até que se saiba o que $1 enviou'],
  [/^payouts wait for (\S+) since (\d+) s: (.+)$/, 'os repasses esperam por $1 há $2 s: $3'],
  [
    /^(\d+) payouts wait until their receivers can be screened$/,
    '$1 repasses esperam até que seus recebedores possam ser verificados',
  ],
  [
    /^(\d+) payouts wait: (.+) is not on the chain's list any more$/,
    '$1 repasses esperam: $2 não está mais na lista da rede',
  ],
  [/^(\d+) payouts of (.+) wait for funds of (.+)$/, '$1 repasses de $2 esperam por saldo de $3'],
  [/^(\S.*) cannot be asked$/, 'não é possível consultar $1'],
  [
    /^(\d+) payouts wait for a decision: (.+) of (.+) were taken back, and about (\S+) the provider has not decided yet$/,
    '$1 repasses esperam por uma decisão: $2 de $3 foram retirados, e sobre $4 o provedor ainda não decidiu',
  ],
  [
    /^(\d+) payouts wait for a decision: (.+) of (.+) were taken back$/,
    '$1 repasses esperam por uma decisão: $2 de $3 foram retirados',
  ],
  [/^the wallet of receiver (\d+) is refused on (\S+)$/, 'a carteira do recebedor $1 é recusada na rede $2'],
  [/^the wallet of receiver (\d+)$/, 'a carteira do recebedor $1'],
  [/^the wallet of the payer$/, 'a carteira do pagador'],
  [/^more than the cap of (\S+) on (\S+)$/, 'mais que o limite de $1 na rede $2'],
  [/^would fail: (.+)$/, 'falharia: $1'],
  [
    /^(\d+) transactions, the last of them (\S+), have not paid receiver (\d+), whom a node had called good$/,
    '$1 transações, a última delas $2, não pagaram o recebedor $3, que um nó dizia estar certo',
  ],
  [
    /^receiver (\d+) waits until the block is final, then another transaction pays him by itself: do not pay him by hand$/,
    'o recebedor $1 espera até que o bloco seja final, e então outra transação o paga por si: não o pague à mão',
  ],
  [
    /^receiver (\d+) waits until the block is final, and is held then$/,
    'o recebedor $1 espera até que o bloco seja final, e então fica retido',
  ],
]

const transactions: Texts = [
  [/^(\S+) paid receiver (\d+) as well$/, '$1 pagou também o recebedor $2'],
  [/^(\S+) paid receiver (\d+) (.+) that were refunded$/, '$1 pagou ao recebedor $2 $3 que foram devolvidos'],
  [
    /^(\S+) had left receiver (\d+) out, and is not on (\S+) any more: it (.+)$/,
    '$1 tinha deixado de fora o recebedor $2, e não está mais na rede $3: $4',
  ],
  [
    /^no node of (\S+) shows (\S+), and that it never landed can no longer be proven$/,
    'nenhum nó da rede $1 mostra $2, e não se pode mais provar que nunca entrou em um bloco',
  ],
  [
    /^receiver (\d+) was paid by (\S+), which pays nobody on (\S+) any more: (.+)$/,
    'o recebedor $1 foi pago por $2, que não paga mais ninguém na rede $3: $4',
  ],
  [
    /^receiver (\d+) was paid by (\S+), and is not in the block that has it now$/,
    'o recebedor $1 foi pago por $2, e não está no bloco que a tem agora',
  ],
  [/^(\S+) on (\S+) was cancelled and has not landed$/, '$1, na rede $2, foi cancelada e não entrou em um bloco'],
  [
    /^(\S+) on (\S+) was cancelled and has left receivers out$/,
    '$1, na rede $2, foi cancelada e deixou recebedores de fora',
  ],
  [/^(\S+) on (\S+) was cancelled and moved nothing$/, '$1, na rede $2, foi cancelada e não moveu nada'],
  [
    /^(\S+) on (\S+) is refused, and is in no block: (.+)$/,
    '$1, na rede $2, é recusada e não está em nenhum bloco: $3',
  ],
  [/^(\S+) on (\S+) is refused: (.+)$/, '$1, na rede $2, é recusada: $3'],
  [
    /^(\S+) on (\S+) is refused, and (\S+) is not in the settings any more$/,
    '$1, na rede $2, é recusada, e $3 não está mais na configuração',
  ],
  [
    /^(\S+) on (\S+) is in no block, and (\S+) is not in the settings any more$/,
    '$1, na rede $2, não está em nenhum bloco, e $3 não está mais na configuração',
  ],
  [/^(\S+) on (\S+) is in no block$/, '$1, na rede $2, não está em nenhum bloco'],
  [/^(\S+) on (\S+) landed: (.+)$/, '$1, na rede $2, entrou em um bloco: $3'],
  [/^(\S+) moved nothing on (\S+)$/, '$1 não moveu nada na rede $2'],
  [/^it pays nobody$/, 'não paga ninguém'],
  [/^it pays (.+) and (\d+) more$/, 'paga $1 e mais $2'],
  [/^it pays (.+)$/, 'paga $1'],
  [
    /^(\S+) has sent (.+) to receiver (\d+) and is not in the database, as after a restore$/,
    '$1 enviou $2 ao recebedor $3 e não está no banco de dados, como depois de uma restauração',
  ],
  [
    /^it carries the payment's reference: resolve (\S+) counts it as paid, release (\S+) pays it again$/,
    'traz a referência do pagamento: resolve $1 conta como pago, release $2 paga de novo',
  ],
  [
    /^it only pays the same, and carries no reference: resolve (\S+) counts it as paid, release (\S+) pays it again$/,
    'só paga o mesmo valor, e não traz referência: resolve $1 conta como pago, release $2 paga de novo',
  ],
  [
    /^it only pays the same, and carries another payment's reference: resolve (\S+) counts it as paid, release (\S+) pays it again$/,
    'só paga o mesmo valor, e traz a referência de outro pagamento: resolve $1 conta como pago, release $2 paga de novo',
  ],
  [
    /^(\S+) has held receiver (\d+) by what it pays, and carries the reference of (\S+) in place of this payment's: release (\S+) pays$/,
    '$1 reteve o recebedor $2 pelo que paga, e traz a referência de $3 em vez da deste pagamento: release $4 paga',
  ],
  [
    /^the treasury has sent coins on (\S+) that are not in the database, as after a restore: look whether receiver (\d+) was paid: resolve (\S+) --hash counts it as paid by a transaction, release (\S+) pays$/,
    'a tesouraria enviou moedas na rede $1 que não estão no banco de dados, como depois de uma restauração: veja se o recebedor $2 foi pago: resolve $3 --hash conta como pago por uma transação, release $4 paga',
  ],
  [
    /^(\S+) paid and is no longer on (\S+): no node takes it again$/,
    '$1 pagou e não está mais na rede $2: nenhum nó a aceita de novo',
  ],
  [
    /^(\S+) paid and is no longer on (\S+): another transaction took its nonce$/,
    '$1 pagou e não está mais na rede $2: outra transação usou o nonce dela',
  ],
  [
    /^(\S+) paid and is no longer on (\S+): it reverted where it was sent again$/,
    '$1 pagou e não está mais na rede $2: reverteu quando foi enviada de novo',
  ],
]

const refunds: Texts = [
  [/^(.+) of (\S+) have come again: the chargeback was won$/, '$1 de $2 voltaram: a contestação foi vencida'],
  [/^the refund (\S+) of (.+) was refused$/, 'a devolução $1 de $2 foi recusada'],
  [
    /^(.+) of (\S+) stay: the provider has decided against taking them back$/,
    '$1 de $2 ficam: o provedor decidiu não os retirar',
  ],
  [
    /^(.+) were refunded at the provider after the receivers had been paid$/,
    '$1 foram devolvidos no provedor depois que os recebedores tinham sido pagos',
  ],
  [
    /^(\S+) may know (\S+) from another request, and nobody knows whether (\S+) went back: it is not sent again$/,
    '$1 talvez conheça $2 de outro pedido, e ninguém sabe se $3 voltou: não é enviada de novo',
  ],
  [
    /^(\S+) answers that (\S+) was made before, and shows nothing that (\S+) may have gone back as: it is not sent again$/,
    '$1 responde que $2 já foi feita, e não mostra nada como que $3 possa ter voltado: não é enviada de novo',
  ],
  [
    /^(\S+) of (\S+) went back before, as the refund (\S+): (\S+) is not made again$/,
    '$1 de $2 já voltou, como a devolução $3: $4 não é feita de novo',
  ],
  [
    /^(\S+) does not show the charge, and nobody knows whether (\S+) went back: it is not sent again$/,
    '$1 não mostra a cobrança, e ninguém sabe se $2 voltou: não é enviada de novo',
  ],
  [/^(\S+ \S+) of (\S+)$/, '$1 de $2'],
]

const others: Texts = [
  [
    /^the router calls (\S+) nothing: it, or the destination's chain, cannot be asked$/,
    'o roteador não diz nada de $1: ele, ou a rede de destino, não pode ser consultado',
  ],
  [/^the router calls (\S+) (.+) with no transaction$/, 'o roteador diz de $1: $2, sem transação'],
  [/^the router calls (\S+) (.+) with (\S+)$/, 'o roteador diz de $1: $2, com $3'],
  [/^the router calls (\S+) (.+)$/, 'o roteador diz de $1: $2'],
  [/^(\S+\/\S+) is ([\d.]+)$/, '$1 é $2'],
  [/^(\S+\/\S+) was ([\d.]+)$/, '$1 era $2'],
  [/^the others are paid$/, 'os outros estão pagos'],
  [/^what (.+) cannot take can be claimed at (\S+)$/, 'o que $1 não pode receber pode ser retirado em $2'],
  [
    /^(.*)insufficient funds: (\S+) holds (.+), and a call takes (.+)$/,
    '$1saldo insuficiente: $2 tem $3, e uma chamada custa $4',
  ],
  [/^the spare gas of a call is cut: (\S+) holds (.+)$/, 'a folga de gás de uma chamada foi reduzida: $1 tem $2'],
  [/^the account holds enough for what is on its way alone$/, 'a conta só tem o bastante para o que já está a caminho'],
  [/^(0x\S+) holds (.+)$/, '$1 tem $2'],
  [/^the ledger cannot be closed: (.+)$/, 'o livro-razão não pode ser fechado: $1'],
  [/^not compared since ([^\s:]+(?::[^\s:]+)*)$/, 'sem comparação desde $1'],
  [/^not compared since (\S+): (.+)$/, 'sem comparação desde $1: $2'],
  [/^not compared: (.+)$/, 'sem comparação: $1'],
  [/^(\S+) in block (\d+): from (\S+)$/, '$1, no bloco $2: de $3'],
  [/^(\S+) in block (\d+): to (\S+)$/, '$1, no bloco $2: para $3'],
  [/^(\S+) is booked in block (\d+), and does not pay (\S+) there$/, '$1 está lançada no bloco $2, e não paga $3 lá'],
  [/^what (\S+) has cost$/, 'o que $1 custou'],
  [/^what the treasury held at block (\d+)$/, 'o que a tesouraria tinha no bloco $1'],
  [/^what the gas payer held at block (\d+)$/, 'o que o pagador de gás tinha no bloco $1'],
  [/^came at (\S+) and belongs to no charge$/, 'chegou em $1 e não é de nenhuma cobrança'],
  [/^came at (\S+)$/, 'chegou em $1'],
  [
    /^(\S+) of it went back to its payer, after an operator had explained it$/,
    '$1 disso voltou ao pagador, depois que um operador o tinha explicado',
  ],
  [
    /^belongs to the payment (\S+), after an operator had explained it$/,
    'é do pagamento $1, depois que um operador o tinha explicado',
  ],
  [/^it is booked, and the provider does not show it$/, 'está lançado, e o provedor não o mostra'],
  [/^received at (\S+)$/, 'recebido em $1'],
  [/^refunds (.+)$/, 'devoluções $1'],
  [/^the provider has changed what it keeps$/, 'o provedor mudou o que retém'],
  [/^(\S+) are booked as gone back and are not$/, '$1 estão lançados como devolvidos e não foram'],
  [/^of (\S+) the provider keeps more than (\S+) percent$/, 'de $1 o provedor retém mais de $2 por cento'],
  [
    /^the list of payables says so, and the charge itself does not show it$/,
    'a lista de recebíveis o diz, e a própria cobrança não o mostra',
  ],
  [
    /^it is booked as the charge has shown it, and the list of payables does not say so$/,
    'está lançado como a cobrança mostrou, e a lista de recebíveis não o diz',
  ],
]

/**
 * What the server tells operators of alerts and differences, in Portuguese: a part of it up to a semicolon, and ours with what the part
 * has in its place. What nodes and providers say stays as it is.
 */
export const ptAlerts: Texts = [...deposits, ...payouts, ...transactions, ...refunds, ...others]
