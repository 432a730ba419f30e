/** Traditional characters of the vocabulary, each with its Simplified form: questions are compared in the latter. */
const PAIRS =
  '並并來来係系個个們们備备價价內内兩两別别動动勝胜勢势區区參参單单嗎吗國国報报場场學学實实寶宝將将對对師师帶带幾几廢废後后從从復复愛爱戰战換换損损據据敗败數数於于時时會会樣样機机檔档檢检欄栏歲岁氣气沒没況况減减測测準准潤润濕湿濘泞為为無无熱热爛烂爾尔狀状獨独現现環环產产當当盤盘禮礼種种紐纽級级終终組组絡络綁绑經经網网線线練练縫缝縮缩總总績绩繫系習习與与蘭兰號号虧亏蝕蚀裏里裡里視视計计訓训記记評评試试話话請请變变負负貼贴資资賠赔賺赚賽赛贏赢軍军軟软較较輸输轉转這这連连週周過过選选邊边錄录鎖锁長长門门開开間间閹阉際际離离響响項项預预領领頭头額额類类顯显飛飞館馆馬马駒驹騎骑騸骟體体麼么點点齡龄'

/** The Simplified form of a Traditional character. */
export const SIMPLER: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at) => [PAIRS.charAt(2 * at), PAIRS.charAt(2 * at + 1)]),
)
