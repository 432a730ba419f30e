import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { editProfile, type AccountInfo } from '../../../contract/api/account.ts'
import { genderOf } from '../../data/gender.ts'
import { useDictionary } from '../../data/use-site-settings.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { AvatarEditor } from '../../features/account/avatar-editor.tsx'
import { Form, NicknameField, useForm, RULES } from '../../features/account/form.tsx'
import { DictionarySelect } from '../../ui/fields/select.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function EditProfileScreen() {
  const account = useSession()
  return (
    <Stack narrow>
      <FormattedMessage id="title.editProfile" tagName="h1" />
      {account.error ? <ErrorNotice error={account.error} onRetry={() => void account.refetch()} /> : null}
      {account.data ? <ProfileForm account={account.data} /> : <Skeleton height={320} />}
    </Stack>
  )
}

function ProfileForm({ account }: { account: AccountInfo }) {
  const intl = useIntl()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const genders = useDictionary('gender', intl.locale)
  const { values, set, field, form } = useForm({
    initial: {
      nickname: account.nickname,
      realName: account.realName ?? '',
      gender: String(account.gender),
    },
    check: ({ nickname }) => ({ nickname: RULES.nickname(nickname) }),
    send: ({ gender, ...of }) => call(editProfile, { ...of, gender: genderOf(gender) }),
    onDone: async () => {
      await refresh()
      showToast(intl.formatMessage({ id: 'profile.saved' }), 'good')
      void navigate('/pages/user/fypeople')
    },
  })
  return (
    <>
      <AvatarEditor url={account.headUrl} />
      <Form {...form} label="common.save">
        <NicknameField {...field('nickname')} />
        <TextField
          label={<FormattedMessage id="form.realName" />}
          hint={<FormattedMessage id="form.optional" />}
          autoComplete="name"
          maxLength={40}
          {...field('realName')}
        />
        <DictionarySelect
          label={<FormattedMessage id="form.gender" />}
          options={genders.data ?? []}
          value={values.gender}
          onChange={(value) => set('gender', value)}
        />
      </Form>
    </>
  )
}
