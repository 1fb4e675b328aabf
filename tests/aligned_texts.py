"""A dozen sentences in three languages, written for these tests, line by line the same."""

from __future__ import annotations

from pathlib import Path

ALIGNED: dict[str, list[str]] = {
    "en": [
        "The cat sleeps in front of the library.",
        "I read the same book twice this summer.",
        "Where does one word end and the next begin?",
        "Please close the door quietly when you leave.",
        "The train to Kyoto leaves at half past nine.",
        "She writes a short letter to her grandmother every week.",
        "A good tool says what it did and what it left out.",
        "We measured the same text three times and got the same number.",
        "If it rains tomorrow, the festival will be held in the hall.",
        "Nobody knew who had drawn the map on the wall.",
        "Tea tastes better from a warm cup.",
        "The children counted one hundred and eight steps.",
    ],
    "ja": [
        "猫が図書館の前で眠っている。",
        "この夏、同じ本を二度読んだ。",
        "一つの語はどこで終わり、次の語はどこから始まるのか。",
        "お帰りの際は、静かに戸を閉めてください。",
        "京都行きの電車は九時半に出る。",
        "彼女は毎週、祖母に短い手紙を書く。",
        "良い道具は、何をして何を省いたかを言う。",
        "同じ文章を三度測り、同じ数を得た。",
        "明日雨が降れば、祭りは講堂で行われる。",
        "壁の地図を誰が描いたのか、誰も知らなかった。",
        "温めた茶碗で飲む茶はいっそうおいしい。",
        "子どもたちは百八段を数えた。",
    ],
    "zh": [
        "猫在图书馆前面睡觉。",
        "这个夏天我把同一本书读了两遍。",
        "一个词在哪里结束，下一个词从哪里开始？",
        "离开时请轻轻关门。",
        "去京都的火车九点半出发。",
        "她每星期给祖母写一封短信。",
        "好的工具会说明它做了什么、省略了什么。",
        "我们把同一段文字量了三次，得到同样的数字。",
        "如果明天下雨，庙会就在礼堂举行。",
        "没有人知道墙上的地图是谁画的。",
        "用温过的杯子喝茶更香。",
        "孩子们数了一百零八级台阶。",
    ],
}


def write_aligned(folder: Path, texts: dict[str, list[str]] = ALIGNED) -> Path:
    """A folder with a file a language."""
    folder.mkdir(exist_ok=True)
    for language, lines in texts.items():
        (folder / f"{language}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
