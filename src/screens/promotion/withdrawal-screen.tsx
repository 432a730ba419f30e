import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarDays, CreditCard } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { randomId } from '../../data/client/device.ts'
import {
  customerPage,
  listBankCards,
  queryMyCustomerTotal,
  settlementPage,
  withdraw,
  withdrawalPage,
  type BankCard,
} from '../../../contract/api/trade.ts'
import { checkProof, NO_PROOF, proofBody, ProofFields, Form, useForm } from '../../features/account/form.tsx'
import { Withdrawals } from '../../features/promotion/withdrawals.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DictionarySelect } from '../../ui/fields/select.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { fieldNumber } from '../../ui/fields/field-number.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Facts, LinkButton, Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { ProvidersOnly } from './providers-only.tsx'
import { askAgain, call, queryFor } from '../../data/client/call.ts'
import { userInfo } from '../../../contract/api/account.ts'

/** Reserved until it is known what may be withdrawn. */
const HEIGHT = 480

export const WithdrawalScreen = () => (
  <Stack narrow>
    <FormattedMessage id="title.withdrawal" tagName="h1" />
    <ProvidersOnly height={HEIGHT}>{() => <Withdrawal />}</ProvidersOnly>
  </Stack>
)

function Withdrawal() {
  const format = useFormat()
  const token = useToken()
  const totals = useQuery({ ...queryFor(queryMyCustomerTotal, {}, token), retry: 1 })
  const cards = useQuery({ ...queryFor(listBankCards, {}, token), retry: 1 })
  const failed = totals.error ?? cards.error
  // The form's height depends on both, so what stands below it comes with them.
  if (totals.isPending || cards.isPending) return <Skeleton height={HEIGHT} />
  return (
    <>
      {failed ? (
        <ErrorNotice
          error={failed}
          onRetry={() => {
            void totals.refetch()
            void cards.refetch()
          }}
        />
      ) : null}
      {totals.data ? (
        <Panel title={<FormattedMessage id="promotion.withdrawable" />}>
          <p className={texts.strong}>{format.hkd(totals.data.withdrawable)}</p>
          {Number(totals.data.waiting) > 0 ? (
            <Small>
              <FormattedMessage
                id="withdrawal.waiting"
                values={{ amount: format.hkd(totals.data.waiting) }}
              />
            </Small>
          ) : null}
        </Panel>
      ) : null}
      {cards.data && totals.data ? (
        <NextStep cards={cards.data} withdrawable={totals.data.withdrawable} />
      ) : null}
      <Panel title={<FormattedMessage id="withdrawal.list" />}>
        <Withdrawals />
      </Panel>
    </>
  )
}

interface NextStepProps {
  cards: readonly BankCard[]
  withdrawable: string
}

/** The form, or what has to come before it: a card, or fees that are settled. */
function NextStep({ cards, withdrawable }: NextStepProps) {
  if (cards.length === 0)
    return (
      <Empty
        icon={CreditCard}
        action={<LinkButton to="/pages/user/bankCard" text="card.add" />}
        text="withdrawal.noCard"
      />
    )
  if (Number(withdrawable) <= 0)
    return (
      <Empty
        icon={CalendarDays}
        action={<LinkButton quiet to="/pages/user/promotionServiceProvider" text="promotion.calendar" />}
        text="withdrawal.nothing"
      />
    )
  return <WithdrawalForm cards={cards} withdrawable={withdrawable} />
}

/** Asks how much goes to which card, and shows it once more before it is confirmed. */
function WithdrawalForm({ cards, withdrawable }: NextStepProps) {
  const format = useFormat()
  const limits = { min: 0.01, max: Number(withdrawable), places: 2, needed: true }
  // With both places of the cents, if there are any.
  const all = withdrawable.replace(/\.00$/, '').replace('.', format.decimalSign)
  const [reviewing, setReviewing] = useState(false)
  // Idempotency key: a second click, or a retry after a lost response, is the same request; another
  // amount or card is a new one.
  const [requestId, setRequestId] = useState(randomId)
  const { set, field, form } = useForm({
    initial: { cardId: cards[0]!.id, amount: all },
    check: ({ amount }) => {
      const read = fieldNumber(amount, format.decimalSign, limits)
      if ('value' in read) return { amount: null }
      return { amount: read.problem.id === 'tooHigh' ? 'withdrawal.tooMuch' : 'field.amount' }
    },
    // Nothing is sent before it is confirmed.
    send: () => Promise.resolve(),
    onDone: () => setReviewing(true),
  })
  const partOfRequest = (key: 'cardId' | 'amount') => ({
    ...field(key),
    onChange: (value: string): void => {
      setRequestId(randomId())
      set(key, value)
    },
  })
  const amount = partOfRequest('amount')
  const read = fieldNumber(amount.value, format.decimalSign, limits)
  const sum = 'value' in read && read.value !== null ? read.value.toFixed(2) : null
  const card = cards.find(({ id }) => id === field('cardId').value) ?? cards[0]!
  const values = {
    amount: sum === null ? 'none' : format.hkd(sum),
    card: format.card(card.cardNumber),
  }
  return (
    <>
      <Form {...form} label="withdrawal.ask" values={values}>
        <DictionarySelect
          label={<FormattedMessage id="title.bankCard" />}
          options={cards.map(({ id, bank, cardNumber }) => ({
            value: id,
            label: `${bank} ${format.card(cardNumber)}`,
          }))}
          {...partOfRequest('cardId')}
        />
        <TextField
          label={<FormattedMessage id="withdrawal.amount" />}
          inputMode="decimal"
          autoComplete="off"
          {...amount}
          onChange={(value) => amount.onChange(value.trim())}
          beside={<Button onClick={() => amount.onChange(all)} text="record.all" />}
        />
      </Form>
      <Dialog
        open={reviewing && sum !== null}
        onClose={() => setReviewing(false)}
        title={<FormattedMessage id="withdrawal.review" values={values} />}
      >
        <Review
          card={card}
          amount={sum ?? ''}
          requestId={requestId}
          onDone={() => {
            setReviewing(false)
            setRequestId(randomId())
            set('amount', '')
          }}
        />
      </Dialog>
    </>
  )
}

interface ReviewProps {
  card: BankCard
  /** With two decimals. */
  amount: string
  requestId: string
  onDone(): void
}

/** What will be withdrawn, confirmed by its owner. */
function Review({ card, amount, requestId, onDone }: ReviewProps) {
  const intl = useIntl()
  const client = useQueryClient()
  const { field, form } = useForm({
    initial: NO_PROOF,
    check: checkProof,
    send: (proof) => call(withdraw, { cardId: card.id, amount, requestId, ...proofBody(proof) }),
    onDone: async () => {
      onDone()
      showToast(intl.formatMessage({ id: 'withdrawal.sent' }), 'good')
      await askAgain(client, queryMyCustomerTotal, customerPage, settlementPage, withdrawalPage, userInfo)
    },
  })
  const { failed } = form
  useEffect(() => {
    // The response may have been lost, so the list is refetched to show the actual state.
    if (failed) void askAgain(client, withdrawalPage)
  }, [failed, client])
  return (
    <Form {...form} label="withdrawal.confirm">
      <Facts
        facts={[
          ['card.bank', card.bank],
          ['card.holder', card.name],
        ]}
      />
      <ProofFields field={field} />
    </Form>
  )
}
