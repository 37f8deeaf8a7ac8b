"""Sessions end, and the one-time code works once."""

from pseudonymizer.desk.records import Principal
from pseudonymizer.web.sessions import CODE_SECONDS, IDLE_SECONDS, LONGEST_SECONDS, OneTimeCode, Sessions

SOMEBODY = Principal("local", "anna", is_session=True)


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_when_it_is_idle_or_old() -> None:
    time = Time()
    sessions = Sessions(time)
    first = sessions.begin(SOMEBODY)
    assert sessions.of(first) is SOMEBODY
    assert sessions.of(first + "x") is None
    time.now = IDLE_SECONDS
    assert sessions.of(first) is SOMEBODY
    time.now = 2 * IDLE_SECONDS + 1
    assert sessions.of(first) is None
    second = sessions.begin(SOMEBODY)
    began = time.now
    while time.now < began + LONGEST_SECONDS - IDLE_SECONDS:
        time.now += IDLE_SECONDS - 1
        assert sessions.of(second) is SOMEBODY
    time.now = began + LONGEST_SECONDS + 1
    assert sessions.of(second) is None
    third = sessions.begin(SOMEBODY)
    sessions.end(third)
    assert sessions.of(third) is None
    assert first not in repr(sessions)


def test_the_code_works_once_in_time_and_not_by_trying() -> None:
    time = Time()
    code = OneTimeCode(SOMEBODY, time)
    assert code.use("wrong") is None
    assert code.use(code.code) is SOMEBODY
    assert code.use(code.code) is None
    late = OneTimeCode(SOMEBODY, time)
    time.now = CODE_SECONDS + 1
    assert late.use(late.code) is None
    tried = OneTimeCode(SOMEBODY, time)
    for number in range(10):
        assert tried.use(str(number)) is None
    assert tried.use(tried.code) is None
    assert tried.code not in repr(tried)
